program=/usr/bin/tcpreplay
version() { tcpreplay --version 2>&1 | sed -n 's/tcpreplay version: \([^ ]*\).*/\1/p'; }
# 400 frames, 2 ms apart
start() {
    python3 - "$DIR/pcap" <<'P'
import struct, sys
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 65535, 1))
    for i in range(400):
        frame = b"\xff" * 6 + b"\x02" + b"\0" * 5 + b"\x88\xb5" + struct.pack(">I", i) + b"\0" * 46
        f.write(struct.pack("<IIII", 1, i * 2000, len(frame), len(frame)) + frame)
P
}
client() {
    python3 "$here/sniff.py" 0x88b5 400 2000 14 64 >"$DIR/seen" &
    sniffer=$!
    until_true test -e /run/sniffing
    # its default timer only spins: nanosleep, as its manual advises for slow traffic
    HRTIMEOUT_CPU=100 run_here tcpreplay -q -T nano -i lo "$DIR/pcap" 2>&1 |
        grep -E 'Successful|Failed' | tr -s '\t ' ' '
    wait "$sniffer"
    grep 'in order' "$DIR/seen"
    grep 'pacing error' "$DIR/seen" >"$OUT/$setup.notes"
}
