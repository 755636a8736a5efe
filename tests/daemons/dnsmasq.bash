program=/usr/sbin/dnsmasq
version() { dnsmasq --version | sed -n '1s/.*version \([^ ]*\).*/\1/p'; }
start() {
    printf '192.0.2.7 from.hosts.test\n' >"$DIR/hosts"
    launch dnsmasq --keep-in-foreground --log-facility=- --log-queries --port=5399 --no-resolv \
        --no-hosts --addn-hosts="$DIR/hosts" --address=/fixed.test/192.0.2.1 --user=root \
        --listen-address=127.0.0.1 --bind-interfaces --pid-file= --conf-file=/dev/null \
        --server=/slow.test/127.0.0.1#5398
}
ask() { dig +short +time=2 +tries=1 -p 5399 @127.0.0.1 "$@"; }
ready() { until_true ask fixed.test; }
client() {
    ask fixed.test
    ask from.hosts.test
    ask -x 192.0.2.7
    ask +tcp fixed.test
    ask nothing.test
    dig +time=1 +tries=1 -p 5399 @127.0.0.1 a.slow.test | grep -c 'communications error\|no servers'
    printf '192.0.2.8 from.hosts.test\n' >"$DIR/hosts"
    kill -HUP "$pid"
    until_true sh -c 'dig +short -p 5399 @127.0.0.1 from.hosts.test | grep -qx 192.0.2.8'
    ask from.hosts.test
}
tidy() { sed -E 's/^dnsmasq[^:]*: ?//; s,'"$DIR"',DIR,' | grep -vE '^(query|config|reply|forwarded|DIR.hosts|cached)|from.hosts'; }
