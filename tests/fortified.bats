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

@test "__poll_chk and __ppoll_chk wait in stages" {
    local trace=$BATS_TEST_TMPDIR/trace
    native strace -f -o "$trace" -E LD_PRELOAD="$LIB" -E HRTIMEOUT_MODE=timer "$PROG/fortified" \
        >"$BATS_TEST_TMPDIR/out" 2>&1
    # Two of poll's four rounds wait with a descriptor: 20 ms by poll for the bulk, then ppoll.
    [ "$(grep -c ' poll(\[{.*, 19) ' "$trace")" -ge 2 ]
    [ "$(grep -c ' ppoll(\[{' "$trace")" -ge 4 ]
}
