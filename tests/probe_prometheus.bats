# The pinned probe by way of node_exporter's textfile collector into Prometheus, on a loopback of
# its own: nothing listens outside, and nothing leaves.
load lib.bash
load probe.bash
setup() {
    probe_setup
    [ -x "$BUILD/prometheus/usr/bin/prometheus" ] || skip "prometheus couldn't be had from apt"
    unshare -n true 2>/dev/null || skip "network namespaces aren't allowed here"
}

@test "a scrape shows the histogram, histogram_quantile answers, the dashboard's queries too" {
    PRIVATE=-n private <<'END'
    daemons=
    trap 'kill $daemons; "$HRTIMEOUT" slack --unpin; rm -rf "$tmp"' EXIT
    ip link set lo up
    bin=$BUILD/prometheus/usr/bin
    get() { python3 -c 'import sys, urllib.parse, urllib.request as r
url = sys.argv[1] + ("?query=" + urllib.parse.quote(sys.argv[2]) if len(sys.argv) > 2 else "")
print(r.urlopen(url, timeout=5).read().decode())' "$@" 2>/dev/null; }
    ask() { get http://127.0.0.1:9090/api/v1/query "$1"; }
    mkdir $tmp/text
    cat >$tmp/prometheus.yml <<YML
global: {scrape_interval: 1s}
scrape_configs: [{job_name: node, static_configs: [{targets: ["127.0.0.1:9100"]}]}]
YML
    "$HRTIMEOUT" slack --pin
    "$HRTIMEOUT" slack --textfile $tmp/text
    $bin/prometheus-node-exporter --collector.disable-defaults --collector.textfile \
        --collector.textfile.directory=$tmp/text --web.listen-address=127.0.0.1:9100 2>$tmp/exporter.log &
    daemons="$daemons $!"
    $bin/prometheus --config.file=$tmp/prometheus.yml --storage.tsdb.path=$tmp/data \
        --web.listen-address=127.0.0.1:9090 2>$tmp/prometheus.log &
    daemons="$daemons $!"
    for i in 1 2 3 4 5 6; do
        "$PROG/probe_waits" ppoll 1000 100000 >/dev/null
        under exact "$PROG/probe_waits" ppoll 1000 100000 >/dev/null
        "$HRTIMEOUT" slack --textfile $tmp/text
        sleep 1.1
    done
    get http://127.0.0.1:9100/metrics >$tmp/metrics
    grep -q '^node_textfile_scrape_error 0' $tmp/metrics
    grep 'hrtimeout_late_seconds_bucket.*probe_waits.*kernel.*+Inf.* 6000' $tmp/metrics
    answered() { ask 'hrtimeout_late_seconds_count{process="probe_waits",source="kernel"}' | jq -e '.data.result[0].value[1] == "6000"' >/dev/null; }
    until_true 15 answered
    median() { ask "histogram_quantile(0.5, sum by (le) (rate(hrtimeout_late_seconds_bucket{process=\"probe_waits\",source=\"$1\"}[1m])))" | jq -r '.data.result[0].value[1]'; }
    kernel=$(median kernel) library=$(median library)
    echo "medians by Prometheus: native $kernel s, exact mode $library s"
    between 0.000005 $kernel 0.1
    between 0.00000001 $library 0.1
    jq -r '.panels[].targets[].expr' "$ROOT/config/grafana/hrtimeout.json" |
        sed 's/\$process/.*/g; s/\$__rate_interval/1m/g' >$tmp/queries
    [ $(wc -l <$tmp/queries) = 6 ]
    while IFS= read -r query; do
        echo "$query"
        ask "$query" | jq -e '.status == "success" and (.data.result | length > 0)'
    done <$tmp/queries
END
}

@test "the textfile is what promtool calls good, and is put in place whole" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    "$PROG/probe_waits" ppoll 10 100000 >/dev/null
    "$HRTIMEOUT" slack --textfile $tmp
    [ "$(ls $tmp)" = hrtimeout.prom ]
    [ "$(stat -c %a $tmp/hrtimeout.prom)" = 644 ]
    grep -q '^# TYPE hrtimeout_probe_waits_total counter$' $tmp/hrtimeout.prom
    grep -q '^# TYPE hrtimeout_late_seconds histogram$' $tmp/hrtimeout.prom
    $BUILD/prometheus/usr/bin/promtool check metrics <$tmp/hrtimeout.prom
    status=0; "$HRTIMEOUT" slack --textfile /proc/nowhere 2>$tmp/err || status=$?
    [ $status = 125 ]
    grep -q "can't write" $tmp/err
END
}
