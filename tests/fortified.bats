# poll and ppoll as -D_FORTIFY_SOURCE makes them.
load lib

@test "a fortified program is reached, and a too small array still aborts with libc's message" {
    nm -D "$PROG/fortified" >"$BATS_TEST_TMPDIR/names"
    grep -qw __poll_chk "$BATS_TEST_TMPDIR/names"
    grep -qw __ppoll_chk "$BATS_TEST_TMPDIR/names"
    same "$PROG/fortified"
    run native "$PROG/fortified"
    [[ "$output" = *"buffer overflow detected"* ]]
}

@test "__poll_chk and __ppoll_chk are waited by us" {
    local trace=$BATS_TEST_TMPDIR/trace
    # In exact mode the last stage of either is a ppoll, whatever the length.
    native strace -f -o "$trace" -E LD_PRELOAD="$LIB" -E HRTIMEOUT_MODE=exact "$PROG/fortified" \
        >"$BATS_TEST_TMPDIR/out" 2>&1
    [ "$(grep -c ' ppoll(\[{' "$trace")" -ge 4 ]
    native strace -f -o "$trace" "$PROG/fortified" >"$BATS_TEST_TMPDIR/out" 2>&1
    [ "$(grep -c ' ppoll(\[{' "$trace")" = 2 ]
}
