# What the kernel answers with EFAULT doesn't crash, and what is good is taken.
load lib

# But where libc itself crashes on the pointer, the library may do what it likes.
comparable() {
    awk -F': ' 'NR == FNR { if ($2 == "crashed") crashed[$1] = 1; next } !crashed[$1]' \
        "$BATS_TEST_TMPDIR/native" "$1"
}

same_but_for_crashes() {
    local mode
    native "$@" >"$BATS_TEST_TMPDIR/native"
    grep -q crashed "$BATS_TEST_TMPDIR/native"
    for mode in $MODES; do
        under "$mode" "$@" >"$BATS_TEST_TMPDIR/ours" || { echo "$mode: exit $?"; return 1; }
        diff <(comparable "$BATS_TEST_TMPDIR/native") <(comparable "$BATS_TEST_TMPDIR/ours") ||
            { echo "in mode $mode"; return 1; }
    done
}

@test "short waits with every pointer bad in every way" {
    same_but_for_crashes "$PROG/bad_pointers" 2
}

@test "waits of two stages with every pointer bad in every way" {
    same_but_for_crashes "$PROG/bad_pointers" 15
}

@test "the same once a system call filter is on its way" {
    same_but_for_crashes "$PROG/bad_pointers" 15 sandboxed
}

@test "the same with every setting that makes more work" {
    "$HRTIMEOUT" run --stats "$BATS_TEST_TMPDIR/stats" true
    HRTIMEOUT_STATS=$BATS_TEST_TMPDIR/stats HRTIMEOUT_WRITEBACK=linux HRTIMEOUT_CLOCK=boottime \
        same_but_for_crashes "$PROG/bad_pointers" 15
}
