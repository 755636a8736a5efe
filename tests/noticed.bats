# What the library counts of a program's waits, and what it notices that a user wants to know.
load lib.bash
BATS_TEST_TIMEOUT=60

setup() {
    STATS=$BATS_TEST_TMPDIR/stats
}

# counted MODE PROGRAM ARGUMENTS...: runs it, and leaves what was counted in $counts
counted() {
    local mode=$1 program=$2
    shift 2
    rm -f "$STATS"
    native "$HRTIMEOUT" run --mode "$mode" --stats "$STATS" -- "$PROG/$program" "$@" >/dev/null
    counts=$("$PROG/stat_counts" "$STATS")
}

# count CALL WHAT: its number, 0 when there is none
count() {
    awk -v call="$1" -v what="$2" '$1 == call && $2 == what { n = $3 } END { print n + 0 }' \
        <<<"$counts"
}

@test "zero timeouts are counted as such, never as late, and a burst of them is noticed" {
    for mode in observe timer exact; do
        counted "$mode" at_once zero 500
        for call in poll ppoll select pselect epoll_wait epoll_pwait epoll_pwait2; do
            [ "$(count $call zero)" = 1500 ] # idle, ready, nothing to wait for
            [ "$(count $call measured)" = 0 ]
            [ "$(count $call zero_burst)" -ge 500 ]
        done
        for call in nanosleep usleep sleep thrd_sleep; do
            [ "$(count $call zero)" = 500 ]
            [ "$(count $call measured)" = 0 ]
        done
    done
}

@test "each timeout is counted and measured, none as early" {
    for mode in observe timer exact; do
        counted "$mode" early 20
        [ "$(count poll timeout)" = 48 ]
        [ "$(count ppoll timeout)" = 128 ]
        [ "$(count thrd_sleep timeout)" = 128 ]
        for call in poll ppoll select pselect epoll_wait epoll_pwait epoll_pwait2 nanosleep \
            clock_nanosleep usleep sleep thrd_sleep; do
            [ "$(count $call measured)" = "$(count $call timeout)" ]
            [ "$(count $call early)" = 0 ]
        done
    done
}

@test "the same timeout armed again after EINTR is noticed" {
    for mode in observe timer; do
        counted "$mode" resumed rearmed
        [ "$(count poll rearmed)" -ge 10 ]
    done
    HRTIMEOUT_EINTR=resume counted timer resumed rearmed
    [ "$(count poll rearmed)" = 0 ]
}

@test "sleeps cut short by a signal are noticed" {
    for mode in observe timer; do
        counted "$mode" resumed usleep
        [ "$(count usleep cut_short)" = 1 ]
        counted "$mode" resumed sleep
        [ "$(count sleep cut_short)" -ge 1 ]
        counted "$mode" resumed loop
        [ "$(count nanosleep cut_short)" -ge 50 ]
    done
}

@test "refused sleeps and absurdly long ones are noticed" {
    for mode in observe timer; do
        counted "$mode" refused
        [ "$(count nanosleep invalid)" = 10 ]
        counted "$mode" endless
        [ "$(count usleep absurd)" = 2 ]
    done
}

@test "a timeval used again after it was counted down to zero is noticed" {
    counted timer tv_loops reused
    [ "$(count select zeroed_timeval)" = 4 ]
}

@test "waits without end are counted as such" {
    for mode in observe timer exact; do
        counted "$mode" interrupted handler forever
        for call in poll ppoll select pselect epoll_wait epoll_pwait epoll_pwait2; do
            [ "$(count $call infinite)" = 1 ]
        done
    done
}
