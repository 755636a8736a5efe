"""Strict check of OpenMetrics text on stdin: prints one line a sample, or fails with the fault.

Checked: metadata before samples, families whole and never twice, names and suffixes by type, UNIT as
a suffix, label syntax, no series twice, numbers, rising buckets with +Inf equal to the count, the end
mark as the last line.
"""

import re
import sys

NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*\Z")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([0-9.e+-]+)\Z")
SUFFIXES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_count", "_sum"]}


def fail(number, line, why):
    sys.exit(f"line {number}: {why}: {line}")


def parse_labels(number, line, text):
    labels, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        if not match or match.group(1) in labels:
            fail(number, line, "bad labels")
        labels[match.group(1)] = match.group(2)
        at = match.end()
        if at < len(text):
            if text[at] != "," or at + 1 == len(text):
                fail(number, line, "bad labels")
            at += 1
    return labels


def check_histogram(number, line, series):
    buckets = series.get("buckets", [])
    if not buckets or buckets[-1][0] != "+Inf":
        fail(number, line, "no +Inf bucket")
    edges = [float(le) for le, _ in buckets]
    counts = [n for _, n in buckets]
    if edges != sorted(set(edges)) or counts != sorted(counts):
        fail(number, line, "buckets don't rise")
    if series.get("_count") != counts[-1] or "_sum" not in series:
        fail(number, line, "count or sum is wrong")


class Family:
    def __init__(self, name):
        self.name, self.kind, self.unit, self.help = name, None, None, None
        self.seen, self.histograms = set(), {}

    def sample(self, number, line, name, labels, value):
        suffix = name[len(self.name):]
        if not self.kind or suffix not in SUFFIXES[self.kind]:
            fail(number, line, "sample without its metadata")
        key = (name, tuple(sorted(labels.items())))
        if key in self.seen:
            fail(number, line, "series twice")
        self.seen.add(key)
        if self.kind == "histogram":
            le = labels.pop("le", None)
            series = self.histograms.setdefault(tuple(sorted(labels.items())), {})
            if suffix == "_bucket":
                if le is None:
                    fail(number, line, "bucket without le")
                series.setdefault("buckets", []).append((le, float(value)))
            else:
                series[suffix] = float(value)
        if self.kind == "counter" and float(value) < 0:
            fail(number, line, "counter below 0")

    def finish(self, number, line):
        if self.unit and not self.name.endswith("_" + self.unit):
            fail(number, line, "name lacks its unit")
        for series in self.histograms.values():
            check_histogram(number, line, series)


def metadata(number, line, family, done):
    words = line.split(" ", 3)
    if len(words) != 4 or words[1] not in ("TYPE", "UNIT", "HELP") or not NAME.match(words[2]):
        fail(number, line, "bad metadata")
    if family is None or family.name != words[2]:
        if family:
            family.finish(number, line)
            done.add(family.name)
        family = Family(words[2])
        if family.name in done:
            fail(number, line, "family in two parts")
    if family.seen:
        fail(number, line, "metadata after samples")
    field = {"TYPE": "kind", "UNIT": "unit", "HELP": "help"}[words[1]]
    if getattr(family, field) is not None:
        fail(number, line, "metadata twice")
    if words[1] == "TYPE" and words[3] not in SUFFIXES:
        fail(number, line, "unknown type")
    setattr(family, field, words[3])
    return family


def main():
    text = sys.stdin.read()
    if not text.endswith("# EOF\n"):
        sys.exit("no end mark")
    family, done = None, set()
    lines = text.split("\n")[:-2]
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            family = metadata(number, line, family, done)
            continue
        match = SAMPLE.match(line)
        if not match or not family or not match.group(1).startswith(family.name):
            fail(number, line, "bad sample")
        labels = parse_labels(number, line, match.group(2) or "")
        family.sample(number, line, match.group(1), labels, match.group(3))
        print(line)
    if family:
        family.finish(len(lines), "end")


main()
