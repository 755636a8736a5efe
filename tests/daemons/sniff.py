"""sniff.py PROTOCOL COUNT GAP_US NUMBER_AT LENGTH: waits for COUNT frames of LENGTH bytes on lo, as
the kernel stamps them, and prints how far the gaps between them are from GAP_US. NUMBER_AT: where a
frame has its number, four bytes. The file /run/sniffing is there while it listens."""
import os
import socket
import struct
import sys

SO_TIMESTAMPNS = 35
protocol, count, gap, number_at, length = (int(a, 0) for a in sys.argv[1:])
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol))
s.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
s.bind(("lo", protocol))
s.settimeout(10)
open("/run/sniffing", "w").close()
at, numbers = [], []
while len(at) < count:
    data, control, _, address = s.recvmsg(70000, 100)
    if address[2] == socket.PACKET_OUTGOING or len(data) != length:
        continue
    numbers.append(struct.unpack_from(">I", data, number_at)[0])
    seconds, ns = struct.unpack_from("qq", control[0][2])
    at.append(seconds * 10**9 + ns)
os.unlink("/run/sniffing")
errors = sorted(abs(b - a - gap * 1000) for a, b in zip(at, at[1:]))
print("in order:", numbers == list(range(numbers[0], numbers[0] + count)))
print("pacing error: median %.1f us, 90 %% %.1f us" %
      (errors[len(errors) // 2] / 1000, errors[len(errors) * 9 // 10] / 1000))
