"""python_suite.py OUTCOMES MODULE [TEST...]: Python's own tests of a module, one outcome a line.

Written to the file OUTCOMES, since the tests themselves print: "NAME ok", "NAME FAILED", "NAME
skipped", and so on. With TESTs only those (their full names).
"""
import sys
import unittest

from test import support


class Outcomes(unittest.TestResult):
    def __init__(self, to):
        super().__init__()
        self.to = to
        self.worst = {}

    def say(self, test, outcome):
        self.worst.setdefault(test.id(), outcome)

    def addError(self, test, err):
        super().addError(test, err)
        self.say(test, "ERROR")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(test, "FAILED")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.say(test, "FAILED")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(test, "skipped")

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.say(test, "fails-as-expected")

    def stopTest(self, test):
        super().stopTest(test)
        print(test.id(), self.worst.get(test.id(), "ok"), file=self.to, flush=True)


def every(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from every(test)
        else:
            yield test


def main():
    path, module, *wanted = sys.argv[1:]
    support.use_resources = []  # no network, nothing that takes minutes
    support.verbose = False
    suite = unittest.TestSuite()
    # They hang where the kernel has no peer for them.
    for test in every(unittest.defaultTestLoader.loadTestsFromName(f"test.{module}")):
        if "vsock" not in test.id().lower() and (not wanted or test.id() in wanted):
            suite.addTest(test)
    with open(path, "w", encoding="utf-8") as to:
        outcomes = Outcomes(to)
        suite.run(outcomes)
        for test, text in outcomes.errors + outcomes.failures:
            print(f"--- {test}\n{text}", file=sys.stderr)
    sys.exit(0 if outcomes.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
