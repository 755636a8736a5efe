"""cut_libc.py FROM TO: copies a 64-bit libc.so.6 without what glibc 2.17 didn't have: symbols of
later versions, and those that were in libdl and libpthread then. The loader doesn't see a symbol
whose value is 0. What libc itself looks up stays."""
import re
import struct
import sys

ELSEWHERE = {b"dlsym", b"dladdr", b"dlopen", b"dlclose", b"dlerror", b"pthread_testcancel"}


def main(source, target):
    elf = bytearray(open(source, "rb").read())
    offset, = struct.unpack_from("<Q", elf, 0x28)
    count, = struct.unpack_from("<H", elf, 0x3C)
    sections = {}
    own = set()
    for i in range(count):
        _, kind, _, _, start, size, _, _, _, _ = struct.unpack_from("<IIQQQQIIQQ", elf, offset + 64 * i)
        sections.setdefault(kind, (start, size))
        if kind == 4:  # SHT_RELA
            own |= {struct.unpack_from("<Q", elf, at + 8)[0] >> 32
                    for at in range(start, start + size, 24)}
    symbols, size = sections[11]       # SHT_DYNSYM
    versyms, _ = sections[0x6FFFFFFF]  # SHT_GNU_versym
    verdef, _ = sections[0x6FFFFFFD]   # SHT_GNU_verdef
    strings, _ = sections[3]           # the first SHT_STRTAB: .dynstr

    def text(at):
        return bytes(elf[strings + at:elf.index(0, strings + at)])

    late = set()
    while True:
        _, _, index, _, _, aux, following = struct.unpack_from("<HHHHIII", elf, verdef)
        name, _ = struct.unpack_from("<II", elf, verdef + aux)
        number = re.fullmatch(rb"GLIBC_2\.(\d+)(\.\d+)?", text(name))
        if number and int(number[1]) > 17:
            late.add(index)
        if not following:
            break
        verdef += following
    for i in range(size // 24):
        name, = struct.unpack_from("<I", elf, symbols + 24 * i)
        version, = struct.unpack_from("<H", elf, versyms + 2 * i)
        if i not in own and (version & 0x7FFF in late or text(name) in ELSEWHERE):
            struct.pack_into("<Q", elf, symbols + 24 * i + 8, 0)
    open(target, "wb").write(elf)


main(*sys.argv[1:])
