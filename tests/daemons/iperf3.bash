# The paced client is what is looked at; its server runs natively.
program=/usr/bin/iperf3
version() { iperf3 --version | sed -n '1s/iperf \([^ ]*\) .*/\1/p'; }
start() {
    iperf3 -s -1 -B 127.0.0.1 -p 5299 >/dev/null 2>&1 &
    server=$!
}
ready() { until_true sh -c "ss -Hltn 'sport = 5299' | grep -q ."; }
client() {
    # 200 datagrams a second, each let go by the pacing timer; 42 bytes of headers before them
    python3 "$here/sniff.py" 0x0800 500 5000 50 1042 >"$DIR/seen" &
    sniffer=$!
    until_true test -e /run/sniffing
    HRTIMEOUT_CPU=100 run_here iperf3 -c 127.0.0.1 -p 5299 -u -b 1600k -l 1000 -t 3 -J \
        --pacing-timer 5000 >"$DIR/result"
    echo "exit $?"
    wait "$server" "$sniffer"
    jq -r '"as many as asked: \(.end.sum.packets >= 590 and .end.sum.packets <= 610), lost: \(.end.sum.lost_packets)"' "$DIR/result"
    grep 'in order' "$DIR/seen"
    grep 'pacing error' "$DIR/seen" >"$OUT/$setup.notes"
}
