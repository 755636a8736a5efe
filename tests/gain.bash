# Whether descriptor waits end nearer to their deadlines than natively.

# gains NAMES COMMAND...: COMMAND, given late_median and its arguments, runs it under the library. A
# wait of 500 ms is 0.5 ms late natively, by the kernel's own slack; but any other timer's interrupt on
# that CPU in the meantime ends it, so on a busy machine there may be nothing to gain: then it says so.
gains() {
    local left=$1 round worse= next name native_late ours_late
    local native_out=$BATS_TEST_TMPDIR/native ours_out=$BATS_TEST_TMPDIR/ours
    shift
    for round in 1 2 3; do
        # shellcheck disable=SC2086 # a list of words
        native "$PROG/late_median" 500 7 $left >"$native_out" 3>&- &
        # shellcheck disable=SC2086
        "$@" "$PROG/late_median" 500 7 $left >"$ours_out"
        wait $!
        next=
        while read -r name native_late _ ours_late; do
            echo "$name: $native_late ns late natively, $ours_late with the library"
            if [ "$native_late" -lt 350000 ]; then
                next="$next $name"
            elif [ "$ours_late" -ge $((native_late * 7 / 10)) ]; then
                next="$next $name"
                worse="$worse $name"
            fi
        done < <(paste -d' ' "$native_out" "$ours_out")
        left=$next
        [ -n "$left" ] || return 0
    done
    for name in $left; do
        [[ " $worse " != *" $name "* ]] || { echo "$name isn't better"; return 1; }
    done
    skip "native waits aren't late here: other programs' timers end them in time"
}
