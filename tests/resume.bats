# HRTIMEOUT_EINTR=resume, for programs that mishandle EINTR, and what they get without it.
load lib.bash
BATS_TEST_TIMEOUT=60

# resumed EXPECTED ARGUMENTS...: with resume EXPECTED, without it what happens natively
resumed() {
    local expected=$1
    shift
    same "$PROG/resumed" "$@"
    HRTIMEOUT_EINTR=resume better "$expected" "$PROG/resumed" "$@"
}

# each SED TEXT: TEXT for each call that the program reports on natively
each() {
    native "$PROG/resumed" "$1" | sed "s/:.*/: $2/"
}

@test "every call waits on to its deadline under 2500 signals a second" {
    resumed "$(each wait '0, at its deadline, handlers ran often')" wait
}

@test "a poll that is armed again after each EINTR ends" {
    resumed "0: ended after one call, at its deadline" rearmed
}

@test "sleeping on for what sleep() has left lasts as long as it should" {
    resumed "at its deadline" sleep
}

@test "usleep under a profiler's timer isn't cut short" {
    resumed "0, at its deadline" usleep
}

@test "sleeping on for what nanosleep() has left: sooner than natively, and on time with resume" {
    for mode in timer exact; do
        native_ns=$(native "$PROG/resumed" loop)
        ns=$(under "$mode" "$PROG/resumed" loop)
        resumed_ns=$(HRTIMEOUT_EINTR=resume under "$mode" "$PROG/resumed" loop)
        echo "$mode: $ns and $resumed_ns, native $native_ns"
        [ "$ns" -ge 1000000000 ] && [ "$ns" -lt "$native_ns" ]
        [ "$resumed_ns" -ge 1000000000 ] && [ "$resumed_ns" -lt $((native_ns - 50000000)) ]
    done
}

@test "the deadline passes while the handler runs: one more look at the descriptors" {
    expected=$(native "$PROG/resumed" handler | sed '
        s/idle [^,]*/idle 0/
        s/readable [^,]*/readable 0/
        /poll\|select/s/readable 0/readable 1/
        s/sets.*/sets 0: 000, sets 1: 010/')
    HRTIMEOUT_EINTR=resume better "$expected" "$PROG/resumed" handler
    MODES=observe HRTIMEOUT_EINTR=resume same "$PROG/resumed" handler
}

@test "stopped until after the deadline, with a handler to run" {
    resumed "0, handler ran 1 times" stopped
}

@test "waits without end, zero timeouts and ignored signals are as without resume" {
    export HRTIMEOUT_EINTR=resume
    same "$PROG/interrupted" handler forever
    same "$PROG/interrupted" ignored 90
    same "$PROG/at_once" zero 10
}

@test "masks: a pending signal is handled, and the wait goes on" {
    expected=$(native "$PROG/masks" |
        sed 's/idle fd, 50 ms, pending: EINTR, handler ran/idle fd, 50 ms, pending: 0, handler ran/')
    grep -q 'pending: 0, handler ran' <<<"$expected"
    HRTIMEOUT_EINTR=resume better "$expected" "$PROG/masks"
}

@test "siglongjmp and cancellation still leave a resumed wait" {
    export HRTIMEOUT_EINTR=resume
    same "$PROG/jumps" 300
    same "$PROG/cancelled" waiting
    same "$PROG/cancelled" pending
}
