# Other preloads beside ours, before and after it, and code that runs before and after its own.
load lib

# beside PRELOADS COMMAND...: with other preloads before and after ours, the same as with them alone
beside() {
    local others=$1 mode order want got
    shift
    want=$(native env LD_PRELOAD="$others" timeout 60 "$@" 2>&1) || return 1
    for order in "$LIB:$others" "$others:$LIB"; do
        for mode in timer exact; do
            got=$(native env LD_PRELOAD="$order" HRTIMEOUT_MODE=$mode HRTIMEOUT_CPU=100 \
                timeout 60 "$@" 2>&1) || { echo "$order, $mode: exit $?: $got"; return 1; }
            [ "$got" = "$want" ] ||
                { echo "$order, $mode:"; diff <(echo "$want") <(echo "$got"); return 1; }
        done
    done
}

# library_of NAME: where Debian has put it
library_of() {
    local found
    found=$(find /usr/lib -name "$1" | head -n 1)
    [ -n "$found" ] || { echo "no $1" >&2; return 1; }
    echo "$found"
}

@test "jemalloc, before and after us" {
    beside "$(library_of libjemalloc.so.2)" "$PROG/each_wait" 12
}

@test "eatmydata, before and after us" {
    beside "$(library_of libeatmydata.so)" "$PROG/each_wait" 12
}

@test "libfaketime ten days back, before and after us: every wait ends" {
    FAKETIME=-10d beside "$(library_of libfaketimeMT.so.1)" "$PROG/each_wait" 12
}

@test "libfaketime at double speed, before and after us: every wait ends" {
    FAKETIME="+0 x2" beside "$(library_of libfaketimeMT.so.1)" "$PROG/each_wait" 12
}

@test "an allocator that waits in its first calls" {
    beside "$BUILD/preload/waiting_malloc.so" "$PROG/each_wait" 12
    beside "$BUILD/preload/waiting_malloc.so" "$PROG/before_main"
}

@test "looking up the real functions allocates nothing" {
    local mode calls
    for mode in $MODES; do
        # The program itself never calls malloc before its first line of output.
        native strace -o "$BATS_TEST_TMPDIR/trace" -E LD_PRELOAD="$LIB" -E HRTIMEOUT_MODE=$mode \
            "$PROG/traced_wait" poll 1000000 >"$BATS_TEST_TMPDIR/out"
        calls=$(sed '/^getppid/,$d' "$BATS_TEST_TMPDIR/trace" | grep -c '^brk(0x' || :)
        [ "$calls" = 0 ] || { echo "$mode: the heap was grown"; return 1; }
    done
}

@test "a library whose constructor and destructor make every wait" {
    beside "$BUILD/preload/waiting.so" "$PROG/each_wait" 1
    beside "$BUILD/preload/waiting.so" /bin/true
}

@test "waits in .preinit_array, constructors, destructors and atexit handlers" {
    same "$PROG/before_main"
}

@test "an interposer that counts sees the program's calls when it comes first, ours when last" {
    local counted=$BATS_TEST_TMPDIR/counted
    beside "$BUILD/preload/counting.so" env COUNTING="$counted" "$PROG/each_wait" 12
    native env COUNTING="$counted" LD_PRELOAD="$BUILD/preload/counting.so" "$PROG/each_wait" 12
    [ "$(cat "$counted")" = "poll 2 select 3 nanosleep 2" ]
    native env COUNTING="$counted" LD_PRELOAD="$BUILD/preload/counting.so:$LIB" "$PROG/each_wait" 12
    [ "$(cat "$counted")" = "poll 2 select 3 nanosleep 2" ]
    native env COUNTING="$counted" LD_PRELOAD="$LIB:$BUILD/preload/counting.so" \
        "$PROG/each_wait" 12 poll
    [[ "$(cat "$counted")" = "poll "[1-9]* ]]
}

@test "a program that waits in its first thread's own malloc, everything together" {
    beside "$BUILD/preload/waiting.so:$BUILD/preload/counting.so:$BUILD/preload/waiting_malloc.so" \
        "$PROG/each_wait" 1
}

@test "thirty libraries with initial-exec TLS, loaded at start and later" {
    local preloads
    preloads=$(printf '%s:' "$BUILD"/preload/tls_*.so)
    beside "${preloads%:}" "$PROG/each_wait" 1
    same "$PROG/load_many" "$BUILD"/preload/tls_*.so
}

@test "every wait on stacks of 16 KiB, on alternate and coroutine stacks, in a vfork child" {
    same "$PROG/odd_stacks"
}
