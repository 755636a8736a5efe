"""by_turns.py ROUNDS COMMAND... -- COMMAND...: both commands answer a byte with a line that holds a
number. They are asked by turns, and the median of the second's number over the first's is printed in
percent: a disturbance hits neighbours alike, and a single one doesn't move a median."""

import os
import statistics
import subprocess
import sys


def start(command):
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def ask(process):
    process.stdin.write(b".")
    process.stdin.flush()
    return int(process.stdout.readline())


# One core for all: another may be slower at the moment.
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
split = sys.argv.index("--")
first, second = start(sys.argv[2:split]), start(sys.argv[split + 1:])
ratios = []
for _ in range(int(sys.argv[1])):
    a = ask(first)
    ratios.append(ask(second) / a)
for process in first, second:
    process.stdin.close()
    process.wait()
print(round(statistics.median(ratios) * 100, 1))
