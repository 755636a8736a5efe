# A system call filter that kills: the library may make only what libc makes natively.
load lib
load bare_root
load gain

# What a program natively needs from exec to exit, as a list for `filtered allow`.
calls_of() {
    local trace=$BATS_TEST_TMPDIR/calls
    native strace -n -o "$trace" ${EMPTY_PRELOAD:+-E LD_PRELOAD="$EMPTY_PRELOAD"} "$@" >"$BATS_TEST_TMPDIR/out" 2>&1
    sed -n 's/^\[ *\([0-9]*\)\].*/\1/p' "$trace" | sort -un | paste -sd,
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

# needs_no_more PROGRAMS LIBRARY: under a filter that kills at all that a wait doesn't need natively
needs_no_more() {
    local wait calls mode
    "$HRTIMEOUT" run --stats "$BATS_TEST_TMPDIR/stats" true
    for wait in $("$1/each_wait" 0 | cut -d: -f1); do
        calls=$(calls_of "$1/each_wait" 30 "$wait")
        for mode in observe timer exact; do
            run native "$PROG/filtered" allow "$calls" HRTIMEOUT_SANDBOX=same HRTIMEOUT_CPU=100 \
                HRTIMEOUT_STATS="$BATS_TEST_TMPDIR/stats" LD_PRELOAD="$2" HRTIMEOUT_MODE=$mode -- "$1/each_wait" 30 "$wait"
            [ "$status $output" = "0 $wait: 0" ] || { echo "$wait, $mode: $status $output"; return 1; }
        done
    done
}

@test "a filter installed before exec: each wait needs no call that it doesn't need natively" {
    needs_no_more "$PROG" "$LIB"
}

# A program of musl's loads no library at all natively: what the loader needs for any, it may do.
@test "musl: each wait needs no call that it doesn't need natively" {
    export EMPTY_PRELOAD=$BATS_TEST_TMPDIR/empty.so
    musl-gcc -shared -o "$EMPTY_PRELOAD" -x c /dev/null
    needs_no_more "$BUILD/abi/musl/tests" "$BUILD/abi/musl/libhrtimeout.so"
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
    gains "select pselect ppoll epoll_pwait2" native "$PROG/filtered" EPERM acct \
        HRTIMEOUT_SANDBOX=same LD_PRELOAD="$LIB" --
}

@test "their first stage ends before the kernel's slack does; poll and epoll_wait are left alone" {
    local wait trace=$BATS_TEST_TMPDIR/trace
    for wait in select pselect pselect_mask ppoll ppoll_mask epoll_pwait2 poll epoll_wait epoll_pwait; do
        native strace -E LD_PRELOAD="$LIB" -E HRTIMEOUT_SANDBOX=same -o "$trace" \
            "$PROG/traced_wait" "$wait" 500000000 >"$BATS_TEST_TMPDIR/out"
        sed -i '1,/^getppid/d' "$trace"
        case $wait in
        poll | epoll_wait | epoll_pwait) grep -q ' 500[,)]' <(head -n 1 "$trace") ;;
        *) grep -q 'tv_nsec=49[0-9]*}' <(head -n 1 "$trace") ;;
        esac || { echo "$wait: $(head -n 1 "$trace")"; return 1; }
    done
}

@test "prctl itself does what it does natively" {
    same "$PROG/prctl_calls"
}
