# What the probe's command shows: the live table, the result, verdicts, the plot.
load lib.bash
load probe.bash
setup() { probe_setup; }

@test "a live table on a terminal, each in the place of the one before" {
    private <<'END'
    "$PROG/probe_waits" ppoll 100000 1000000 >/dev/null &
    waiting=$!
    script -qec "'$HRTIMEOUT' slack -c probe_waits -i 0.4 -d 1.5" /dev/null >$tmp/out
    kill $waiting
    [ "$(grep -c $'\033\[H\033\[J' $tmp/out)" -ge 2 ]
    [ "$(grep -cE 'after [0-9]+ s: [0-9]+ waits set a timer, [1-9][0-9]* ended by timeout' $tmp/out)" -ge 2 ]
    [ "$(grep -cE "^probe_waits +$waiting +ppoll +kernel +[0-9]+ +[0-9.]+ [um]s .*%" $tmp/out)" -ge 3 ]
    # what a live table shows is since the one before: together they aren't more than the result
    grep -E "^probe_waits +$waiting" $tmp/out | awk '{ sum += last; last = $5 } END { exit !(sum > 0 && sum <= last) }'
END
}

@test "the result: table, histogram, verdict, counters; no control sequences in a pipe" {
    private <<'END'
    "$HRTIMEOUT" slack -- "$PROG/probe_waits" ppoll 100 200000 | grep -v '^-\?[0-9]*$' >$tmp/out
    cat $tmp/out
    grep -qE '^probe_waits +[0-9]+ +ppoll +kernel +100 ' $tmp/out
    grep -qE '^lateness of probe_waits \([0-9]+\) ppoll, in waits' $tmp/out
    grep -qE '\|#+ *\|' $tmp/out
    grep -qE '^probe_waits \([0-9]+\) ppoll: [a-z]' $tmp/out
    grep -qE '^ *100 +100' $tmp/out
    not grep -q $'\033' $tmp/out
END
}

@test "verdicts: slack, run queue" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- python3 -c "
import ctypes, time
ctypes.CDLL(None).prctl(29, 20000000)
for i in range(20): time.sleep(0.001)" >$tmp/json
    jq -e '.verdicts[0].verdict | test("timer slack.*hrtimeout run")' $tmp/json
    # three that never wait keep the one CPU that the sleeper may use
    busy=
    for i in 1 2 3; do
        taskset -c 0 timeout 20 sh -c 'while :; do :; done' &
        busy="$busy $!"
    done
    "$HRTIMEOUT" slack --json -- taskset -c 0 nice -n 5 python3 -c "
import time
for i in range(15): x = sum(range(100000)); time.sleep(0.001)" >$tmp/json
    kill $busy
    jq -c ".verdicts, (.waits[] | del(.lateness))" $tmp/json
    jq -e '[.verdicts[] | select(.process == "python3")][0].verdict | test("waiting for a CPU.*priority")' $tmp/json
END
}

@test "OpenMetrics and JSON are well-formed" {
    private <<'END'
    "$HRTIMEOUT" slack --openmetrics -- "$PROG/probe_waits" ppoll 100 200000 | grep -vE '^-?[0-9]+$' >$tmp/out
    [ "$(tail -n 1 $tmp/out)" = "# EOF" ]
    grep -qE '^hrtimeout_late_seconds_count\{process="probe_waits",call="ppoll",abi="64",source="kernel"\} 100$' $tmp/out
    grep -q '^hrtimeout_probe_waits_total{end="armed"} 100$' $tmp/out
    not grep -q 'pid=' $tmp/out
END
}

@test "--plot draws a PNG and an SVG" {
    command -v gnuplot >/dev/null || skip "gnuplot isn't installed"
    private <<'END'
    for kind in png svg; do
        "$HRTIMEOUT" slack --plot "$tmp/it's.$kind" -- "$PROG/probe_waits" ppoll 100 200000 >/dev/null
    done
    [ "$(head -c 4 "$tmp/it's.png" | tail -c 3)" = PNG ]
    grep -q '<svg' "$tmp/it's.svg"
    grep -q 'probe_waits\[[0-9]*\] ppoll' "$tmp/it's.svg"
    status=0; "$HRTIMEOUT" slack --plot $tmp/none.png -- true 2>$tmp/err || status=$?
    [ $status = 125 ]
    grep -q 'nothing to draw' $tmp/err
END
}

@test "the systemd units name what exists" {
    command -v systemd-analyze >/dev/null || skip "no systemd-analyze here"
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    for unit in hrtimeout.service hrtimeout-textfile.service; do
        sed "s|=hrtimeout slack|=$HRTIMEOUT slack|" "$ROOT/config/systemd/$unit" >"$BATS_TEST_TMPDIR/$unit"
    done
    cp "$ROOT/config/systemd/hrtimeout-textfile.timer" "$BATS_TEST_TMPDIR/"
    cd "$BATS_TEST_TMPDIR"
    run systemd-analyze verify --man=no ./hrtimeout.service ./hrtimeout-textfile.service ./hrtimeout-textfile.timer
    echo "$output"
    [ "$status" = 0 ]
    [ -z "$(echo "$output" | grep -E 'hrtimeout')" ]
}

@test "names that look the same are one series, and names in UTF-8 stay" {
    private <<'END'
    "$HRTIMEOUT" slack --pin
    for name in $'w\xfe' $'w\xff' $'w\x01' $'w\xc3\xa9' $'w\xc3\xaa'; do
        cp "$PROG/probe_waits" "$tmp/$name"
        "$tmp/$name" ppoll 5 100000 >$tmp/out
    done
    mkdir $tmp/text
    "$HRTIMEOUT" slack --textfile $tmp/text
    cat $tmp/text/hrtimeout.prom | grep 'count{process="w.*"ppoll"'
    sed '/^#/d; s/ [^ ]*$//' $tmp/text/hrtimeout.prom | sort | uniq -d >$tmp/twice
    [ ! -s $tmp/twice ]
    grep -qF 'seconds_count{process="w?",call="ppoll",abi="64",source="kernel"} 15' $tmp/text/hrtimeout.prom
    grep -qF $'seconds_count{process="w\xc3\xaa",call="ppoll",abi="64",source="kernel"} 5' $tmp/text/hrtimeout.prom
END
}
