# hrtimeout run: exit codes, the environment that it makes, what it refuses.
bats_require_minimum_version 1.5.0
load lib

setup() {
    unset LD_PRELOAD
    stats=$BATS_TEST_TMPDIR/stats
}

preload_from() { # the LD_PRELOAD that a program sees when the caller's was $1
    env LD_PRELOAD="$1" "$HRTIMEOUT" run -- /usr/bin/printenv LD_PRELOAD 2>/dev/null
}

# refused ARGUMENT...: exit 125 and one line on stderr that says who speaks
refused() {
    run "$HRTIMEOUT" run "$@"
    [ "$status" = 125 ] || { echo "exit $status: $output"; return 1; }
    [ "${#lines[@]}" = 1 ] || { echo "not one line: $output"; return 1; }
    [[ "$output" = "hrtimeout: "* ]] || { echo "$output"; return 1; }
}

@test "the program's own exit status" {
    for code in 0 1 7 124 125 126 127 255; do
        run -$code "$HRTIMEOUT" run -- sh -c "exit $code"
        [ -z "$output" ]
    done
    run -143 "$HRTIMEOUT" run sh -c 'kill -TERM $$'
}

@test "no process stays between the caller and the program" {
    run bash -c 'echo $$; exec "$0" run -- sh -c "echo \$\$"' "$HRTIMEOUT"
    [ "${lines[0]}" = "${lines[1]}" ]
}

@test "127 for a program that isn't there, 126 for one that can't be executed" {
    run -127 "$HRTIMEOUT" run -- /no/such/program
    [ "${#lines[@]}" = 1 ]
    run -127 "$HRTIMEOUT" run -- no-such-program-in-path
    echo text >"$BATS_TEST_TMPDIR/text"
    run -126 "$HRTIMEOUT" run -- "$BATS_TEST_TMPDIR/text"
    [ "${#lines[@]}" = 1 ]
    run -126 "$HRTIMEOUT" run -- "$BATS_TEST_TMPDIR"
}

@test "125 and one line for what it can't take" {
    refused
    refused --
    refused --mode fast -- true
    refused --mode '' -- true
    refused --slack -1 -- true
    refused --slack 0 -- true
    refused --slack 1us -- true
    refused --slack 99999999999999999999 -- true
    refused --cpu 0 -- true
    refused --cpu 101 -- true
    refused --cpu 5% -- true
    refused --eintr maybe -- true
    refused --writeback bsd -- true
    refused --clock realtime -- true
    refused --sandbox no -- true
    refused --stats /no/such/directory/file -- true
    refused --stats "$BATS_TEST_TMPDIR" -- true
    refused --stats /dev/null -- true
    refused --stats '' -- true
}

@test "125 for an option that doesn't exist or lacks its value" {
    run -125 "$HRTIMEOUT" run --no-such-option -- true
    run -125 "$HRTIMEOUT" run --mode
    run -125 "$HRTIMEOUT" no-such-subcommand
    run -125 "$HRTIMEOUT"
}

@test "the message names what was wrong and what would be right" {
    run "$HRTIMEOUT" run --mode fast -- true
    [[ "$output" = *fast* && "$output" = *observe* && "$output" = *timer* && "$output" = *exact* ]]
}

@test "options end where the program begins" {
    run "$HRTIMEOUT" run /bin/echo --mode x
    [ "$status $output" = "0 --mode x" ]
    run "$HRTIMEOUT" run --mode exact /bin/echo -- -m
    [ "$status $output" = "0 -- -m" ]
    run "$HRTIMEOUT" run -- /bin/echo --
    [ "$status $output" = "0 --" ]
}

@test "LD_PRELOAD of others is kept, ours comes first and never twice" {
    local other=/usr/lib/x86_64-linux-gnu/libeatmydata.so
    [ "$(env -u LD_PRELOAD "$HRTIMEOUT" run printenv LD_PRELOAD)" = "$LIB" ]
    [ "$(preload_from "")" = "$LIB" ]
    [ "$(preload_from " ")" = "$LIB" ]
    [ "$(preload_from ":")" = "$LIB" ]
    [ "$(preload_from "$other")" = "$LIB:$other" ]
    [ "$(preload_from "$other:")" = "$LIB:$other" ]
    [ "$(preload_from ":$other")" = "$LIB:$other" ]
    [ "$(preload_from "$other libm.so.6")" = "$LIB:$other:libm.so.6" ]
    [ "$(preload_from "libm.so.6::  $other")" = "$LIB:libm.so.6:$other" ]
    [ "$(preload_from "$LIB")" = "$LIB" ]
    [ "$(preload_from "$LIB:$other")" = "$LIB:$other" ]
    [ "$(preload_from "$other $LIB")" = "$LIB:$other" ]
    [ "$(preload_from "$LIB:$other:$LIB:")" = "$LIB:$other" ]
    [ "$(preload_from "/elsewhere/libhrtimeout.so:$other")" = "$LIB:$other" ]
    # Only a name like ours isn't ours.
    [ "$(preload_from "libnothrtimeout.so:$other")" = "$LIB:libnothrtimeout.so:$other" ]
}

@test "run under run: once" {
    [ "$("$HRTIMEOUT" run "$HRTIMEOUT" run printenv LD_PRELOAD)" = "$LIB" ]
}

@test "options reach the library, and only those that were given" {
    run "$HRTIMEOUT" run --mode exact --slack 100 --cpu 7 --eintr resume --writeback none \
        --clock boottime --sandbox trust --only a,b --skip c -- printenv
    for setting in MODE=exact SLACK=100 CPU=7 EINTR=resume WRITEBACK=none CLOCK=boottime \
        SANDBOX=trust ONLY=a,b SKIP=c; do
        grep -qx "HRTIMEOUT_$setting" <<<"$output" || { echo "no $setting"; return 1; }
    done
    [ -z "$(env -u HRTIMEOUT_MODE "$HRTIMEOUT" run -- printenv | grep '^HRTIMEOUT_')" ]
    HRTIMEOUT_MODE=observe run "$HRTIMEOUT" run -- printenv HRTIMEOUT_MODE
    [ "$output" = observe ]
    HRTIMEOUT_MODE=observe run "$HRTIMEOUT" run --mode exact -- printenv HRTIMEOUT_MODE
    [ "$output" = exact ]
}

@test "the timer slack is set before the program starts, also for a filter that may kill" {
    [ "$("$HRTIMEOUT" run --sandbox same "$PROG/slack_seen" | grep main)" = "main: 1" ]
    [ "$("$HRTIMEOUT" run --slack 300 "$PROG/slack_seen" | grep main)" = "main: 300" ]
    [ "$("$HRTIMEOUT" run --slack keep "$PROG/slack_seen" | grep main)" = "main: 50000" ]
    [ "$("$HRTIMEOUT" run --mode observe "$PROG/slack_seen" | grep main)" = "main: 50000" ]
}

@test "--stats makes the file, fills it and takes it again" {
    "$HRTIMEOUT" run --stats "$stats" -- "$PROG/each_wait" 1 >/dev/null
    [ -f "$stats" ]
    [ "$(head -c 7 "$stats")" = hrtstat ]
    cp "$stats" "$stats.before"
    "$HRTIMEOUT" run --stats "$stats" -- "$PROG/each_wait" 1 >/dev/null
    run ! cmp -s "$stats" "$stats.before"
    [ "$(stat -c %s "$stats")" = "$(stat -c %s "$stats.before")" ]
    # A child of the program counts in the same file.
    cp "$stats" "$stats.before"
    "$HRTIMEOUT" run --stats "$stats" -- sh -c '"$0" 1 >/dev/null; :' "$PROG/each_wait"
    run ! cmp -s "$stats" "$stats.before"
}

@test "--stats with a relative path works after the program has changed its directory" {
    cd "$BATS_TEST_TMPDIR"
    "$HRTIMEOUT" run --stats relative -- true
    cp relative before
    "$HRTIMEOUT" run --stats relative -- sh -c 'cd / && "$0" 1 >/dev/null' "$PROG/each_wait"
    # The child that runs in / counts too.
    [ "$(cmp -l before relative | wc -l)" -gt 10 ]
}

@test "a file of somebody else's is not written over" {
    echo precious >"$stats"
    refused --stats "$stats" -- true
    [ "$(cat "$stats")" = precious ]
}

@test "static programs, scripts: run as they are, with their own exit status" {
    run "$HRTIMEOUT" run -- "$PROG/static_exit" 9
    [ "$status" = 9 ]
    [[ "$output" == "hrtimeout: $PROG/static_exit isn't reached: static"* ]]
    [ "${#lines[@]}" = 1 ]
    run "$HRTIMEOUT" run --quiet -- "$PROG/static_exit" 9
    [ "$status $output" = "9 " ]
    printf '#!/bin/sh\nexit 11\n' >"$BATS_TEST_TMPDIR/script"
    chmod +x "$BATS_TEST_TMPDIR/script"
    run "$HRTIMEOUT" run -- "$BATS_TEST_TMPDIR/script"
    [ "$status $output" = "11 " ]
}

@test "the library's path: named, with \$LIB for either width, not there, not usable" {
    local at=$BATS_TEST_TMPDIR/lib/x86_64-linux-gnu
    mkdir -p "$at"
    cp "$LIB" "$at/"
    export HRTIMEOUT_LIBRARY="$BATS_TEST_TMPDIR/\$LIB/libhrtimeout.so"
    run "$HRTIMEOUT" run printenv LD_PRELOAD
    [ "$status $output" = "0 $HRTIMEOUT_LIBRARY" ]
    [ "$("$HRTIMEOUT" run --slack 77 "$PROG/slack_seen" | grep main)" = "main: 77" ]
    HRTIMEOUT_LIBRARY=/no/where/libhrtimeout.so refused true
    HRTIMEOUT_LIBRARY="/with space/libhrtimeout.so" refused true
}
