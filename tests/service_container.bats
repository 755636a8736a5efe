# A container: the default profile of its runtime is a filter that was there at the start. It answers
# EPERM, and the library shall use what passes.
load lib.bash

setup() {
    unshare -m true 2>/dev/null || skip "no mount namespace can be made here"
}

# contained [-CALL...] -- COMMAND...: in a mount namespace that looks like a container's, under the
# profile less the calls named
contained() {
    local without=()
    while [ "$1" != -- ]; do without+=("$1"); shift; done
    shift
    unshare -m sh -c 'mount -t tmpfs tmpfs /run && : >/run/.containerenv && exec "$@"' sh \
        "$PROG/container_profile" "$ROOT/tests/service/container.calls" "${without[@]}" "$@"
}

# as_native [-CALL...]: every kind of wait ends as it does natively under the same profile, but for
# those that the profile refuses to libc and the library does in another way
as_native() {
    local mode want got
    want=$(contained "$@" -- "$PROG/each_wait" 12 apart)
    [ -n "$want" ]
    for mode in timer exact; do
        got=$(contained "$@" -- env LD_PRELOAD="$LIB" HRTIMEOUT_MODE=$mode HRTIMEOUT_CPU=100 \
            "$PROG/each_wait" 12 apart)
        got=$(awk -F': ' 'NR == FNR { want[$1] = $2; next }
            want[$1] == "EPERM" && $2 == "0" { $2 = "EPERM" } { print $1 ": " $2 }' \
            <(echo "$want") - <<<"$got")
        diff <(echo "$want") <(echo "$got")
    done
}

# did COUNT CALL [-CALL...]: what the library counted of one kind of thing for one kind of wait
did() {
    local count=$1 call=$2 stats=$BATS_TEST_TMPDIR/stats
    shift 2
    rm -f "$stats"
    "$HRTIMEOUT" run --stats "$stats" true
    contained "$@" -- env LD_PRELOAD="$LIB" HRTIMEOUT_STATS="$stats" "$PROG/each_wait" 12 apart \
        >/dev/null
    "$HRTIMEOUT" report -f json "$stats" |
        jq -r ".library[] | select(.call == \"$call\") | .$count"
}

explained() { # [-CALL...]: state and reason
    contained "$@" -- "$HRTIMEOUT" explain --json |
        jq -r '.facts[] | select(.what == "system call filter") | .value + "; " + .meaning'
}

@test "the profile is one: mount is refused, a filter is on" {
    run contained -- sh -c 'grep ^Seccomp: /proc/self/status; unshare -m true 2>&1'
    [ "$status" != 0 ]
    [ "${lines[0]}" = "Seccomp:	2" ]
    [[ ${lines[1]} == *"not permitted"* ]]
}

@test "every wait is as native" { as_native; }
@test "without epoll_pwait2, as runtimes before 2021" { as_native -epoll_pwait2; }
@test "without ppoll" { as_native -ppoll; }
@test "without clock_nanosleep" { as_native -clock_nanosleep; }
@test "without prctl" { as_native -prctl; }
@test "without any of them" { as_native -epoll_pwait2 -ppoll -clock_nanosleep -prctl; }

@test "the library does its work there" {
    [ "$(did stages poll)" -gt 0 ]
    [ "$(did passed_sandbox poll)" = 0 ]
    [ "$(did stages epoll_wait)" -gt 0 ]
    [ "$(did passed_sandbox epoll_wait)" = 0 ]
}

@test "explain says that it answers, why, and what it refuses" {
    run explained
    echo "$output"
    if [ ! -e /.dockerenv ]; then [[ $output == *"/run/.containerenv shows"* ]]; fi
    [[ $output == "it answers; "*"all system calls that the library makes pass it." ]]
    run explained -epoll_pwait2 -ppoll
    echo "$output"
    [[ $output == "it answers; "*"here ppoll, epoll_pwait2." ]]
    run env HRTIMEOUT_SANDBOX=same "$HRTIMEOUT" explain --json
    [[ $output == *'"value": "none"'* ]]
    HRTIMEOUT_SANDBOX=same run explained
    echo "$output"
    [[ $output == "it may kill; HRTIMEOUT_SANDBOX=same says so"* ]]
}
