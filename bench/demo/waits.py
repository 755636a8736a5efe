"""waits.py CALL SECONDS COUNT: prints how late each wait ended, in ns."""
import os
import select
import sys
import time

call, seconds, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
idle, _ = os.pipe()
poll = select.poll()
poll.register(idle, select.POLLIN)
epoll = select.epoll()
epoll.register(idle, select.EPOLLIN)
wait = {
    "time.sleep": lambda: time.sleep(seconds),
    "select.select": lambda: select.select([idle], [], [], seconds),
    "select.poll": lambda: poll.poll(seconds * 1000),
    "select.epoll": lambda: epoll.poll(seconds),
}[call]
asked = round(seconds * 1e9)
late = []
for _ in range(count):
    start = time.monotonic_ns()
    wait()
    late.append(time.monotonic_ns() - start - asked)
print(*late, sep="\n")
