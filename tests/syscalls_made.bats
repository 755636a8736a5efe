# Which system calls a wait makes, as strace sees them.
load lib

descriptor_waits="select pselect pselect_mask poll ppoll ppoll_mask epoll_wait epoll_pwait epoll_pwait2"
empty_waits="select_none pselect_none poll_none ppoll_none"
sleeps="nanosleep clock_nanosleep abstime abstime_real usleep thrd_sleep"

# call_trace MODE NAME NS [ready]: the system calls of one wait, one a line; MODE native: without us
call_trace() {
    local mode=$1 trace=$BATS_TEST_TMPDIR/trace
    shift
    if [ "$mode" = native ]; then
        native strace -o "$trace" "$PROG/traced_wait" "$@" >"$BATS_TEST_TMPDIR/out" || return 1
    else
        native strace -E LD_PRELOAD="$LIB" -E HRTIMEOUT_MODE="$mode" \
            -E HRTIMEOUT_CPU=100 -o "$trace" "$PROG/traced_wait" "$@" >"$BATS_TEST_TMPDIR/out" ||
            return 1
    fi
    [ "$(grep -c '^getppid' "$trace")" = 2 ] || { echo "no markers"; return 1; }
    sed -n '/^getppid/,/^getppid/p' "$trace" | grep -v '^getppid' || :
}

# What is left of the time differs each time.
traced() {
    call_trace "$@" | sed 's/, left {[^}]*}//'
}

names() {
    sed 's/(.*//' | sort -u | paste -sd' '
}

# as_native NS [ready]: the very calls with the very arguments that libc makes, in each mode
as_native() {
    local wait mode want got
    for wait in $waits; do
        want=$(traced native "$wait" "$@")
        for mode in $MODES; do
            got=$(traced "$mode" "$wait" "$@")
            [ "$got" = "$want" ] || { echo "$wait $*, $mode: $got; natively: $want"; return 1; }
        done
    done
}

# at_most COUNT MODE NS [ready]
at_most() {
    local count=$1 mode=$2 wait got
    shift 2
    for wait in $waits; do
        got=$(traced "$mode" "$wait" "$@")
        [ "$(grep -c . <<<"$got")" -le "$count" ] || { echo "$wait $*, $mode: $got"; return 1; }
    done
}

@test "an absolute deadline that has passed: no system call" {
    waits="abstime abstime_real"
    at_most 0 timer -1000000000
    at_most 0 timer -1
    at_most 0 exact -1000000000
}

@test "a zero timeout: libc's one call with the program's arguments" {
    waits="$descriptor_waits $empty_waits"
    as_native 0
    waits=$descriptor_waits
    as_native 0 ready
}

@test "a sleep of nothing: one sched_yield" {
    local wait mode
    for wait in nanosleep usleep clock_nanosleep thrd_sleep; do
        for mode in timer exact; do
            [ "$(traced $mode $wait 0 | names)" = sched_yield ] || { echo "$wait, $mode"; return 1; }
        done
    done
}

@test "no timeout: libc's one call with the program's arguments" {
    waits=$descriptor_waits
    as_native forever ready
}

@test "a descriptor that is ready: one call" {
    waits=$descriptor_waits
    at_most 1 timer 400000 ready
    at_most 1 timer 300000000 ready
    at_most 1 exact 300000000 ready
}

@test "a wait below a few ms: one call" {
    waits="$descriptor_waits $empty_waits $sleeps"
    at_most 1 timer 2000000
}

@test "a long wait: one extra wake-up at most, and nothing else" {
    waits=$descriptor_waits
    at_most 2 timer 300000000
    waits="$empty_waits $sleeps"
    at_most 1 timer 300000000
}

@test "memory of no well-known kind is asked about, but no more often than needed" {
    waits="select_mapped nanosleep_mapped"
    # One question for reading and one for writing beside the wait's own calls.
    at_most 4 timer 300000000
    at_most 3 timer 400000
}

@test "observe mode: what libc does" {
    local MODES=observe
    waits="$descriptor_waits $empty_waits nanosleep clock_nanosleep usleep thrd_sleep"
    as_native 3000000
}

@test "where a filter may kill: libc's own calls only" {
    local wait mode ns want got
    export HRTIMEOUT_SANDBOX=same
    for wait in $descriptor_waits $empty_waits $sleeps select_mapped nanosleep_mapped; do
        want=$(traced native "$wait" 1000000 | names)
        for ns in 0 1000000 40000000; do
            for mode in timer exact; do
                got=$(traced $mode "$wait" $ns | names)
                # A wait that needs no system call at all is as good.
                [ -z "$got" ] || [ "$got" = "$want" ] ||
                    { echo "$wait $ns, $mode: $got; natively: $want"; return 1; }
            done
        done
    done
}

@test "where a filter may kill, starting the program needs nothing that it doesn't need natively" {
    local mode trace=$BATS_TEST_TMPDIR/trace
    native strace -o "$trace.native" "$PROG/each_wait" 0 >/dev/null
    for mode in $MODES; do
        native strace -E LD_PRELOAD="$LIB" -E HRTIMEOUT_SANDBOX=same -E HRTIMEOUT_MODE=$mode \
            -o "$trace" "$PROG/each_wait" 0 >/dev/null
        run comm -13 <(sed 's/(.*//' "$trace.native" | sort -u) <(sed 's/(.*//' "$trace" | sort -u)
        [ -z "$output" ] || { echo "$mode: $output"; return 1; }
    done
}
