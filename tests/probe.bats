# The probe's figures against the programs' own, and that it sees every wait there is.
load lib.bash
load probe.bash
setup() { probe_setup; }

# How much the program's own figure exceeds the probe's, median over the waits: the way into the
# call and back: 1 to 1.5 us on a quiet machine, up to 3.5 us beside many busy neighbours, who leave
# the caches cold. One good round of five is enough: a figure that is off by a scale, a clock, the
# slack or a wait never has one.
agrees() { # KIND COUNT NS
    private <<END
    difference() {
        "\$HRTIMEOUT" slack --samples \$tmp/samples -- "\$PROG/probe_waits" $1 $2 $3 >\$tmp/out
        grep -E '^-?[0-9]+\$' \$tmp/out >\$tmp/own
        awk -F, 'NR > 1 { print \$6 }' \$tmp/samples >\$tmp/probe
        [ \$(wc -l <\$tmp/own) = $2 ]
        [ \$(wc -l <\$tmp/probe) = $2 ]
        paste \$tmp/own \$tmp/probe | awk '{ print \$1 - \$2 }' | sort -n | sed -n '$(($2 / 2))p'
    }
    for round in 1 2 3 4 5; do
        middle=\$(difference)
        echo "$1: median difference \$middle ns"
        ! between 0 \$middle 5000 || exit 0
    done
    exit 1
END
}

@test "agrees with clock_gettime round nanosleep" { agrees nanosleep 300 200000; }
@test "agrees with clock_gettime round an absolute clock_nanosleep" { agrees clock_nanosleep 300 200000; }
@test "agrees with clock_gettime round a sleep until a CLOCK_REALTIME" { agrees realtime 300 200000; }
@test "agrees with clock_gettime round poll" { agrees poll 200 1000000; }
@test "agrees with clock_gettime round ppoll" { agrees ppoll 300 200000; }
@test "agrees with clock_gettime round select" { agrees select 300 200000; }
@test "agrees with clock_gettime round epoll_wait" { agrees epoll_wait 200 1000000; }

@test "in a time namespace too" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- unshare --time --monotonic 86400 --fork "$PROG/probe_waits" nanosleep 100 200000 >$tmp/out
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(waits_in $tmp/json '.process == "probe_waits"') = 100 ]
    between 1000 $(jq '.waits[] | select(.process == "probe_waits") | .lateness.median_ns' $tmp/json) 50000000
END
}

@test "four parts add up to the lateness, in every wait and every line" {
    private <<'END'
    "$HRTIMEOUT" slack --json --samples $tmp/samples -- "$PROG/probe_waits" ppoll 500 100000 >$tmp/out
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ "$(awk -F, 'NR > 1 && $6 != $7 + $8 + $9 + $10' $tmp/samples | wc -l)" = 0 ]
    [ "$(wc -l <$tmp/samples)" = 501 ]
    jq -e '.waits | length == 1 and all(.lateness.sum_ns ==
        .timer_slack_ns + .interrupt_ns + .run_queue_ns + .return_ns)' $tmp/json
    jq -e '.waits[0] | .lateness.count == .waits' $tmp/json
END
}

@test "timer slack is told from the rest: 2 ms of it granted, and none" {
    private <<'END'
    for slack in 2000000 1; do
        "$HRTIMEOUT" slack --json -- python3 -c "
import ctypes, time
ctypes.CDLL(None).prctl(29, $slack)
for i in range(100): time.sleep(0.0005)" >$tmp/$slack
    done
    share='[.waits[] | select(.call == "clock_nanosleep")][0] | .timer_slack_ns / .waits'
    between 200000 $(jq "$share" $tmp/2000000) 2000000
    between 0 $(jq "$share" $tmp/1) 1
END
}

@test "20,000 sleeps of 1 us: all counted" {
    private <<'END'
    "$HRTIMEOUT" slack --json -- "$PROG/probe_waits" nanosleep 20000 1000 >$tmp/out
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(waits_in $tmp/json true) = 20000 ]
    [ $(counter $tmp/json armed) = 20000 ]
    [ $(counter $tmp/json timed_out) = 20000 ]
    between 0 $(counter $tmp/json fire_unseen) 1000
    between 1 $(jq '.waits[0].interrupt_ns' $tmp/json) 100000000000
END
}

@test "without tracefs: a warning, and every wait all the same" {
    private <<'END'
    umount /sys/kernel/tracing
    "$HRTIMEOUT" slack --json -- "$PROG/probe_waits" ppoll 500 50000 >$tmp/out 2>$tmp/err
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(waits_in $tmp/json '.call == "ppoll"') = 500 ]
    grep -q 'no tracefs at /sys/kernel/tracing.*mount -t tracefs' $tmp/err
END
}

@test "--compat sees 64-bit waits as well" {
    private <<'END'
    "$HRTIMEOUT" slack --compat --json -- "$PROG/probe_waits" select 100 50000 >$tmp/out 2>$tmp/err
    sed -n '/^{/,$p' $tmp/out >$tmp/json
    [ $(waits_in $tmp/json '.call == "pselect"') = 100 ]
    [ ! -s $tmp/err ]
END
}
