"""Suites that are had by source package only: perl's, libevent's, libuv's, glibc's."""
import glob
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from process import built, environment, run, source

ONE_TEST = 100  # seconds that a test run alone may take


class Perl:
    """The tests of Time::HiRes and of select, from perl's source package, by the perl installed."""
    name = "perl"
    # Of perl's own those that need no perl built in their tree.
    wanted = ["dist/Time-HiRes/t/*.t", "t/op/sselect.t", "t/op/select.t", "t/op/sleep.t"]

    def prepare(self):
        self.tree = source("perl")

    def units(self):
        return sorted(os.path.relpath(f, self.tree) for pattern in self.wanted
                      for f in glob.glob(os.path.join(self.tree, pattern)))

    def run(self, mode, unit, only=()):
        # perl's own tests find their helpers from t/, a module's from the module.
        where = "t" if unit.startswith("t/") else "dist/Time-HiRes"
        status, output = run(mode, ["perl", os.path.relpath(unit, where)],
                             cwd=os.path.join(self.tree, where))
        outcomes = {unit: f"exit-{status}"}
        for line in output.splitlines():
            point = re.match(r"(not )?ok (\d+)\b(?:.*# *(skip))?", line, re.I)
            if point:
                outcomes[f"{unit} {point[2]}"] = "skipped" if point[3] else \
                    "FAILED" if point[1] else "ok"
        return outcomes


def outcome(status, skipped=False):
    return "skipped" if skipped else "ok" if status == 0 else f"exit-{status}"


class Libevent:
    """The regression tests of libevent, each on its own, on each of its back ends."""
    name = "libevent"
    without = {"epoll": [], "poll": ["EVENT_NOEPOLL"], "select": ["EVENT_NOEPOLL", "EVENT_NOPOLL"]}

    def prepare(self):
        self.program = os.path.join(built("libevent", "libevent"), "test", "regress")

    def units(self):
        listed = subprocess.run([self.program, "--list-tests"], capture_output=True,
                                env=environment("native"), check=False).stdout.decode()
        self.tests = re.findall(r"^ +(\w+/\w+)$", listed, re.M)
        # Off by default are those too touchy or too slow, and those that ask a name server.
        self.tests += re.findall(r"^ +((?:util|thread)/\w+) +\(Off by default\)$", listed, re.M)
        return list(self.without)

    def run(self, mode, unit, only=()):
        settings = {variable: "1" for variable in self.without[unit]}
        outcomes = {}
        with tempfile.TemporaryDirectory() as scratch:
            for test in only or self.tests:
                status, output = run(mode, [self.program, "+" + test], scratch, ONE_TEST,
                                     settings)
                outcomes[test] = outcome(status, "(1 skipped)" in output)
        return outcomes


class Libuv:
    """The tests of libuv, each on its own."""
    name = "libuv"

    def prepare(self):
        self.directory = built("libuv1", "libuv")

    def command(self, *arguments):
        return [os.path.join(self.directory, "uv_run_tests"), *arguments]

    def units(self):
        self.settings = {"UV_RUN_AS_ROOT": "1"}
        _, listed = run("native", self.command("--list"), settings=self.settings)
        self.tests = re.findall(r"^\w+", listed, re.M)
        return ["every test"]

    def run(self, mode, unit, only=()):
        outcomes = {}
        for test in only or self.tests:
            status, output = run(mode, self.command(test), self.directory, ONE_TEST, self.settings)
            said = re.search(r"^(not )?ok 1 - \w+( # SKIP)?", output, re.M)
            outcomes[test] = "FAILED" if said and said[1] else \
                outcome(status if said else f"{status}-silent", said and said[2])
        return outcomes


class Glibc:
    """glibc's tests that cancel or wait, those that build without its inner headers."""
    name = "glibc"

    def prepare(self):
        self.directory = os.path.join(built("glibc", "glibc"), "tests")

    def units(self):
        with open(os.path.join(self.directory, "..", "unbuilt"), encoding="utf-8") as f:
            for line in f:
                print("glibc: doesn't build here:", line.strip())
        self.tests = sorted(os.listdir(self.directory))
        return ["cancellation", "waits"]

    def run(self, mode, unit, only=()):
        tests = only or [t for t in self.tests if ("cancel" in t) == (unit == "cancellation")]
        # Most of their time they sleep.
        with ThreadPoolExecutor(4) as pool:
            return dict(zip(tests, pool.map(lambda t: self.run_test(mode, t), tests)))

    def run_test(self, mode, test):
        path = os.path.join(self.directory, test)
        arguments = {"tst-cancel7": ["--command", f"exec {path}"],
                     "tst-cancelx7": ["--command", f"exec {path}"],
                     "tst-chmod": ["."]}.get(test, [])
        with tempfile.TemporaryDirectory() as scratch:
            # Some open the file of this name that is there in glibc's tree.
            with open(os.path.join(scratch, "Makefile"), "w", encoding="utf-8") as f:
                f.write("all:\n" * 100)
            status, _ = run(mode, [path, *arguments], scratch, ONE_TEST)
        return outcome(status, status == 77)
