# A system call filter that kills: the library may make only what libc makes natively.
load lib
load bare_root

# What a program natively needs from exec to exit, as a list for `filtered allow`.
calls_of() {
    local trace=$BATS_TEST_TMPDIR/calls
    native strace -n -o "$trace" "$@" >"$BATS_TEST_TMPDIR/out" 2>&1
    sed -n 's/^\[ *\([0-9]*\)\].*/\1/p' "$trace" | sort -un | paste -sd,
}

waits() {
    "$PROG/each_wait" 0 | cut -d: -f1
}

@test "a filter that the program installs by prctl: no wait is killed" {
    same "$PROG/own_filter" prctl
}

@test "a filter that the program installs by seccomp(), as libseccomp does: no wait is killed" {
    same "$PROG/own_filter" seccomp
}

@test "the same with every setting that makes more work" {
    "$HRTIMEOUT" run --stats "$BATS_TEST_TMPDIR/stats" true
    HRTIMEOUT_EINTR=resume HRTIMEOUT_CLOCK=boottime HRTIMEOUT_WRITEBACK=linux \
        HRTIMEOUT_STATS=$BATS_TEST_TMPDIR/stats same "$PROG/own_filter" prctl
}

@test "a filter installed without libc: no wait is killed when the library was told so" {
    HRTIMEOUT_SANDBOX=same same "$PROG/own_filter" raw
}

@test "a filter installed before exec: each wait needs no call that it doesn't need natively" {
    local wait calls mode
    for wait in $(waits); do
        calls=$(calls_of "$PROG/each_wait" 30 "$wait")
        for mode in timer exact; do
            run native "$PROG/filtered" allow "$calls" HRTIMEOUT_SANDBOX=same HRTIMEOUT_CPU=100 \
                LD_PRELOAD="$LIB" HRTIMEOUT_MODE=$mode -- "$PROG/each_wait" 30 "$wait"
            [ "$status $output" = "0 $wait: 0" ] || { echo "$mode: $status $output"; return 1; }
        done
    done
}

@test "a filter before exec is taken for a deadly one where nothing says container" {
    [ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    local calls
    calls=$(calls_of "$PROG/each_wait" 30 poll)
    export -f bare_root
    run env -u KUBERNETES_SERVICE_HOST ROOT="$ROOT" unshare -m bash -ec '
        bare_root "$1"
        exec chroot "$1" "$2/filtered" allow "$3" LD_PRELOAD="$4" -- "$2/each_wait" 30 poll
    ' - "$BATS_TEST_TMPDIR" "$PROG" "$calls" "$LIB"
    [ "$status $output" = "0 poll: 0" ] || { echo "$status $output"; return 1; }
}

@test "select, pselect, ppoll and epoll_pwait2 still end on time under such a filter" {
    local waits=(select pselect ppoll epoll_pwait2) name native_late ours_late
    native "$PROG/late_median" 500 7 "${waits[@]}" >"$BATS_TEST_TMPDIR/native" &
    native "$PROG/filtered" EPERM acct HRTIMEOUT_SANDBOX=same LD_PRELOAD="$LIB" -- \
        "$PROG/late_median" 500 7 "${waits[@]}" >"$BATS_TEST_TMPDIR/ours"
    wait $!
    paste -d' ' "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/ours"
    # Natively the kernel adds 0.5 ms on purpose; the rest of the lateness is common to both.
    while read -r name native_late _ ours_late; do
        [ "$ours_late" -lt $((native_late * 7 / 10)) ] || { echo "$name isn't better"; return 1; }
    done < <(paste -d' ' "$BATS_TEST_TMPDIR/native" "$BATS_TEST_TMPDIR/ours")
}

@test "prctl itself does what it does natively" {
    same "$PROG/prctl_calls"
}
