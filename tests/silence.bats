# The library keeps no descriptor, prints nothing and never gets in a program's way.
load lib

setup() {
    file=$BATS_TEST_TMPDIR/file
    stats=$BATS_TEST_TMPDIR/stats
    "$HRTIMEOUT" run --stats "$stats" /bin/true
}

# same_file COMMAND...: as `same`, and what the program wrote to $file is equal as well
same_file() {
    local mode want
    native "$@" && want="$? $(cat "$file")" || want="$? $(cat "$file")"
    for mode in $MODES; do
        rm -f "$file"
        under "$mode" "$@" && got="$? $(cat "$file")" || got="$? $(cat "$file")"
        [ "$got" = "$want" ] || { echo "$mode: $got; natively: $want"; return 1; }
    done
}

@test "a program's first open gets the descriptor that it gets natively" {
    same_file "$PROG/open_first" "$file"
    HRTIMEOUT_STATS=$stats same_file "$PROG/open_first" "$file"
}

@test "standard descriptors closed" {
    same_file bash -c '"$0" "$1" <&- >&- 2>&-' "$PROG/open_first" "$file"
    HRTIMEOUT_STATS=$stats same_file bash -c '"$0" "$1" >&- 2>&-' "$PROG/open_first" "$file"
}

@test "no descriptor to be had" {
    same "$PROG/tight_limit"
    HRTIMEOUT_STATS=$stats same "$PROG/tight_limit"
    # The limit at 3 and only descriptor 0 free: enough for the loader.
    local limited='exec <&-; for fd in 3 4 5 6; do eval "exec $fd>&-"; done; ulimit -n 3; exec "$@"'
    native bash -c "$limited" - /bin/sleep 0.02
    HRTIMEOUT_STATS=$stats same bash -c "$limited" - /bin/sleep 0.02
}

@test "a program that closes everything from 3 on: not a byte of ours in its file" {
    same "$PROG/closes_all" "$file"
    HRTIMEOUT_STATS=$stats same "$PROG/closes_all" "$file"
}

@test "nothing is printed, whatever the settings are" {
    local mode
    for mode in $MODES nonsense ""; do
        run under "$mode" env HRTIMEOUT_CPU=1000 HRTIMEOUT_EINTR=x HRTIMEOUT_SLACK=-1 /bin/true
        [ "$status $output" = "0 " ] || { echo "$mode: $status $output"; return 1; }
    done
}

@test "a statistics path that can't be used" {
    local path
    head -c 1000 /dev/urandom >"$BATS_TEST_TMPDIR/noise"
    head -c 100 "$stats" >"$BATS_TEST_TMPDIR/short"
    cp "$stats" "$BATS_TEST_TMPDIR/unwritable"
    chmod 0 "$BATS_TEST_TMPDIR/unwritable"
    # The right head and the right size, but a hole where the blocks should be.
    head -c 100 "$stats" >"$BATS_TEST_TMPDIR/hole"
    truncate -s "$(stat -c %s "$stats")" "$BATS_TEST_TMPDIR/hole"
    mkfifo "$BATS_TEST_TMPDIR/fifo"
    for path in /nowhere/at/all "$BATS_TEST_TMPDIR" /dev/full /dev/null "" /proc/self/mem \
        "$BATS_TEST_TMPDIR"/{noise,short,unwritable,hole,fifo}; do
        HRTIMEOUT_STATS=$path same "$PROG/each_wait" 1 || { echo "with $path"; return 1; }
    done
}

@test "no /proc" {
    [ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    same unshare -m bash -c 'mount -t tmpfs none /proc && exec "$0" 12' "$PROG/each_wait"
}

@test "a full file system under the statistics" {
    [ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    local full='mount -t tmpfs -o size=4k none /dev/shm; head -c 4096 /dev/zero >/dev/shm/rest; "$@"'
    HRTIMEOUT_STATS=/dev/shm/stats same unshare -m bash -c "$full" - "$PROG/each_wait" 1
    run unshare -m bash -c "$full" - "$HRTIMEOUT" run --stats /dev/shm/stats /bin/true
    [ "$status" = 125 ]
    [ "${#lines[@]}" = 1 ]
    [[ "$output" = "hrtimeout: "*/dev/shm/stats* ]]
}

@test "a statistics file on a file system that fills up afterwards" {
    [ "$(id -u)" = 0 ] || skip "needs root for a mount namespace"
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    run unshare -m bash -c '
        mount -t tmpfs -o size=200k none /dev/shm
        "$1" run --stats /dev/shm/stats /bin/true || exit
        head -c 1000000 /dev/zero >/dev/shm/rest 2>/dev/null
        "$1" run --stats /dev/shm/stats "$2" 1' - "$HRTIMEOUT" "$PROG/each_wait"
    [ "$status" = 0 ]
    [ "$output" = "$(native "$PROG/each_wait" 1)" ]
}
