# A system call filter that answers with an error, as container runtimes' do.
load lib
load bare_root
load gain

# A wait that libc would have made with a refused call, and that we could make with another: it ended
# right, so that is no difference.
served_all_the_same() {
    awk -v error="$1" -F': ' 'NR == FNR { want[$1] = $2; next }
        want[$1] == error && $2 == "0" { $2 = error } { print $1 ": " $2 }' <(echo "$2") -
}

# answers ERROR CALLS PROGRAM...: same as native under the same filter
answers() {
    local error=$1 calls=$2 mode want got
    shift 2
    want=$(native "$PROG/filtered" "$error" "$calls" -- "$@" 2>&1) || return 1
    for mode in timer exact; do
        got=$(native "$PROG/filtered" "$error" "$calls" "${SANDBOX:-HRTIMEOUT_SANDBOX=trust}" \
            LD_PRELOAD="${THEIR_LIB:-$LIB}" HRTIMEOUT_MODE=$mode HRTIMEOUT_CPU=100 -- "$@" 2>&1) ||
            { echo "$mode: exit $?: $got"; return 1; }
        got=$(served_all_the_same "$error" "$want" <<<"$got")
        [ "$got" = "$want" ] || { diff <(echo "$want") <(echo "$got"); return 1; }
    done
}

each_error() {
    local error program=${THEIR_PROG:-$PROG}/each_wait
    for error in EPERM ENOSYS EACCES; do
        answers $error "$1" "$program" 12 apart
        answers $error "$1" "$program" 1
    done
}

@test "epoll_pwait2 refused: every wait ends right, errno doesn't leak" {
    each_error epoll_pwait2
}

@test "ppoll refused: every wait ends right, errno doesn't leak" {
    each_error ppoll
}

@test "clock_nanosleep refused: every wait ends right, errno doesn't leak" {
    each_error clock_nanosleep
}

@test "prctl refused: every wait ends right, errno doesn't leak" {
    each_error prctl
}

@test "all four refused: every wait ends right, errno doesn't leak" {
    each_error epoll_pwait2,ppoll,clock_nanosleep,prctl
}

@test "musl: each of them refused, and all" {
    export THEIR_PROG=$BUILD/abi/musl/tests THEIR_LIB=$BUILD/abi/musl/libhrtimeout.so
    local calls
    for calls in ppoll clock_nanosleep prctl epoll_pwait2,ppoll,clock_nanosleep,prctl; do
        each_error $calls
    done
}

@test "a Kubernetes pod's filter is one that answers" {
    SANDBOX=KUBERNETES_SERVICE_HOST=10.0.0.1 each_error ppoll
}

# The system call that a select makes under a filter that refuses nothing it uses.
call_made() {
    local trace=$BATS_TEST_TMPDIR/trace
    native strace -o "$trace" "$PROG/filtered" EPERM acct "$@" LD_PRELOAD="$LIB" -- \
        "$PROG/traced_wait" select 400000 >"$BATS_TEST_TMPDIR/out"
    sed -n '/^getppid/,/^getppid/p' "$trace" | grep -v '^getppid' | sed 's/(.*//' | paste -sd' '
}

@test "trust, and a pod: other calls are used; same: libc's own only" {
    [ "$(call_made HRTIMEOUT_SANDBOX=trust)" = ppoll ]
    [ "$(call_made KUBERNETES_SERVICE_HOST=10.0.0.1)" = ppoll ]
    [ "$(call_made HRTIMEOUT_SANDBOX=same KUBERNETES_SERVICE_HOST=10.0.0.1)" = pselect6 ]
}

# call_made_beside MARK VARIABLE...: the same in a root directory with this mark of a container only
call_made_beside() (
    export mark=$1 root=$BATS_TEST_TMPDIR/root ROOT PROG LIB
    shift
    mkdir -p "$root"
    unset KUBERNETES_SERVICE_HOST
    export -f bare_root call_made native
    unshare -m bash -ec '
        bare_root "$root"
        [ -z "$mark" ] || touch "$root/$mark"
        export BATS_TEST_TMPDIR=/tmp
        exec chroot "$root" bash -c "call_made \"\$@\"" - "$@"
    ' - "$@"
)

@test "what auto makes of a filter at start: the marks of containers" {
    [ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    [ "$(call_made_beside "")" = pselect6 ]
    [ "$(call_made_beside .dockerenv)" = ppoll ]
    [ "$(call_made_beside run/.containerenv)" = ppoll ]
    [ "$(call_made_beside "" KUBERNETES_SERVICE_HOST=10.0.0.1)" = ppoll ]
    [ "$(call_made_beside "" HRTIMEOUT_SANDBOX=trust)" = ppoll ]
}

@test "every descriptor wait ends on time there" {
    gains "select pselect poll ppoll epoll_wait epoll_pwait epoll_pwait2" native "$PROG/filtered" \
        EPERM acct HRTIMEOUT_SANDBOX=trust LD_PRELOAD="$LIB" --
}

@test "the first stage of every descriptor wait ends before the kernel's slack does" {
    local wait trace=$BATS_TEST_TMPDIR/trace
    for wait in select pselect pselect_mask poll ppoll ppoll_mask epoll_wait epoll_pwait epoll_pwait2; do
        native strace -o "$trace" "$PROG/filtered" EPERM acct HRTIMEOUT_SANDBOX=trust \
            LD_PRELOAD="$LIB" -- "$PROG/traced_wait" "$wait" 500000000 >"$BATS_TEST_TMPDIR/out"
        sed -i '1,/^getppid/d' "$trace"
        grep -qE ' 49[0-9][,)]|tv_nsec=49[0-9]*}' <(head -n 1 "$trace") ||
            { echo "$wait: $(head -n 1 "$trace")"; return 1; }
    done
}
