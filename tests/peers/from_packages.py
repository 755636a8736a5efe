"""Suites that Debian has as packages: Python's own tests, stress-ng, cyclictest."""
import os
import re
import subprocess
import tempfile

from process import HERE, run

PYTHON = "/usr/bin/python3"  # the distribution's, whose tests the package holds
PYTHON_MODULES = os.environ.get("PEERS_MODULES", """
    test_select test_poll test_epoll test_selectors test_time test_signal test_eintr test_asyncio
    test_socket test_threading test_subprocess test_asyncore test_asynchat test_sched test_queue
    test_telnetlib test_pty test_wait3 test_fork1 test_thread test_threadsignals test_httplib
    test_httpservers test_ftplib test_poplib test_smtplib test_posix test_os
    test_urllib2_localnet""").split()
STRESSORS = """poll select nanosleep sleep epoll clock cyclic timer timerfd itimer alarm hrtimers
    eventfd inotify sigfd sigsuspend sigpending signal kill pipe sockpair sock udp sem futex mq fork
    vfork pthread schedpolicy yield prctl sleeping loop switch wait""".split()


class Python:
    """One unit a module; a test is repeated alone."""
    name = "python"

    def prepare(self):
        pass

    def units(self):
        return PYTHON_MODULES

    def run(self, mode, unit, only=()):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "outcomes")
            status, _ = run(mode, [PYTHON, os.path.join(HERE, "python_suite.py"), path, unit,
                                   *only], cwd=scratch)
            outcomes = {}
            if os.path.exists(path):
                with open(path, encoding="utf-8") as f:
                    outcomes = dict(line.rsplit(" ", 1) for line in f.read().splitlines())
            if status not in (0, 1):
                outcomes[f"{unit} (as a whole)"] = f"exit-{status}"
            return outcomes


class StressNg:
    name = "stress-ng"

    def prepare(self):
        pass

    def units(self):
        known = subprocess.run(["stress-ng", "--stressors"], capture_output=True,
                               check=True).stdout.decode().split()
        return [s for s in STRESSORS if s in known]

    def run(self, mode, unit, only=()):
        with tempfile.TemporaryDirectory() as scratch:
            status, _ = run(mode, ["stress-ng", "--verify", f"--{unit}", "1", "--timeout", "2",
                                   "--temp-path", scratch])
        return {unit: f"exit-{status}"}


class Cyclictest:
    name = "cyclictest"

    def prepare(self):
        pass

    def units(self):
        return ["nanosleep -N", "relative -r", "both -r -N", "system -s", "many -t 4"]

    def run(self, mode, unit, only=()):
        status, output = run(mode, ["cyclictest", "-q", "-l", "500", "-i", "1000",
                                    *unit.split()[1:]])
        least = re.findall(r"Min: *(-?\d+)", output)
        early = any(int(m) < 0 for m in least)
        return {unit: f"exit-{status}{'-early' if early or not least else ''}"}
