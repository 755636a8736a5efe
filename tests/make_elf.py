"""make_elf.py FILE [--bits N] [--machine N] [--interp PATH] [--needed NAME] [--import NAME] [--go]
[--pie]: writes an ELF file that can be read but not run, as another machine's programs are here."""

import argparse
import os
import struct


class Strings:
    def __init__(self):
        self.data = b"\0"

    def add(self, text):
        at = len(self.data)
        self.data += text.encode() + b"\0"
        return at


def pad(data, to):
    return data + b"\0" * (-len(data) % to)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--bits", type=int, default=64)
    parser.add_argument("--machine", type=int, default=62)
    parser.add_argument("--interp")
    parser.add_argument("--needed", action="append", default=[])
    parser.add_argument("--import", action="append", default=[], dest="imports")
    parser.add_argument("--go", action="store_true")
    parser.add_argument("--pie", action="store_true")
    args = parser.parse_args()
    wide = args.bits == 64
    word = "Q" if wide else "I"
    header, entry = (64, 56) if wide else (52, 32)
    dynamic = bool(args.needed or args.imports or args.pie)
    count = 1 + bool(args.interp) + dynamic + args.go
    parts, at = b"", header + entry * count

    def place(data):
        nonlocal parts, at
        data = pad(data, 8)
        offset, at, parts = at, at + len(data), parts + data
        return offset

    segments = []

    def segment(kind, data):
        segments.append((kind, place(data), len(data)))

    if args.interp:
        segment(3, args.interp.encode() + b"\0")
    if args.go:
        segment(4, struct.pack("<III", 4, 4, 4) + b"Go\0\0" + b"abcd")
    if dynamic:
        strings = Strings()
        needed = [strings.add(n) for n in args.needed]
        symbols = b"\0" * (24 if wide else 16)
        for name in args.imports:
            start = strings.add(name)
            symbols += (struct.pack("<IBBHQQ", start, 0x12, 0, 0, 0, 0) if wide
                        else struct.pack("<IIIBBH", start, 0, 0, 0x12, 0, 0))
        string_at, symbol_at = place(strings.data), place(symbols)
        hash_at = place(struct.pack("<III", 1, len(args.imports) + 1, 0)
                        + b"\0" * 4 * (len(args.imports) + 1))
        tags = [(1, n) for n in needed] + [(5, string_at), (10, len(strings.data)), (6, symbol_at),
                                           (4, hash_at)]
        if args.pie:
            tags.append((0x6FFFFFFB, 0x08000000))
        segment(2, b"".join(struct.pack("<2" + word, *t) for t in tags + [(0, 0)]))
    segments.append((1, 0, at))
    kind = 3 if args.pie else 2
    out = b"\x7fELF" + bytes([2 if wide else 1, 1, 1]) + b"\0" * 9
    out += struct.pack("<HHI3" + word + "IHHHHHH", kind, args.machine, 1, 0, header, 0, 0, header,
                       entry, count, 0, 0, 0)
    for kind, offset, size in segments:
        if wide:
            out += struct.pack("<IIQQQQQQ", kind, 5, offset, offset, offset, size, size, 8)
        else:
            out += struct.pack("<IIIIIIII", kind, offset, offset, offset, size, size, 5, 8)
    with open(args.file, "wb") as file:
        file.write(out + parts)
    os.chmod(args.file, 0o755)


main()
