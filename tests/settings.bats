# The library's own environment: a value that isn't understood leaves its setting at the default.
load lib

# The system call that a select makes tells the mode: ppoll in timer mode, libc's own in observe.
calls() {
    local trace=$BATS_TEST_TMPDIR/trace
    native strace -o "$trace" -E LD_PRELOAD="$LIB" "$@" "$PROG/traced_wait" select 400000 \
        >"$BATS_TEST_TMPDIR/out" || return 1
    sed -n '/^getppid/,/^getppid/p' "$trace" | grep -v '^getppid' | sed 's/(.*//' | paste -sd' '
}

@test "the default is timer mode" {
    [ "$(calls)" = ppoll ]
    [ "$(calls -E HRTIMEOUT_MODE=observe)" = pselect6 ]
}

@test "malformed values are ignored" {
    local value
    for value in "" OBSERVE "observe " fast off 0 "$(printf 'x%.0s' {1..5000})"; do
        [ "$(calls -E HRTIMEOUT_MODE="$value")" = ppoll ] || { echo "'$value'"; return 1; }
    done
    [ "$(calls -E HRTIMEOUT_SANDBOX=maybe)" = ppoll ]
    [ "$(calls -E HRTIMEOUT_ONLY= -E HRTIMEOUT_SKIP=)" = ppoll ]
}

@test "malformed numbers leave the slack at its default" {
    local value
    for value in "" 0 -5 1e3 0x10 12ns " 12" 99999999999999999999 +7; do
        HRTIMEOUT_SLACK=$value HRTIMEOUT_CPU=$value under timer "$PROG/slack_seen" \
            >"$BATS_TEST_TMPDIR/slack"
        grep -qx 'main: 1' "$BATS_TEST_TMPDIR/slack" || { echo "'$value'"; return 1; }
    done
}

@test "malformed values change no result" {
    HRTIMEOUT_CPU=many HRTIMEOUT_EINTR=maybe HRTIMEOUT_WRITEBACK=? HRTIMEOUT_CLOCK=sundial \
        same "$PROG/each_wait" 12
}

@test "ONLY and SKIP choose by program name" {
    [ "$(calls -E HRTIMEOUT_ONLY=traced_wait)" = ppoll ]
    [ "$(calls -E HRTIMEOUT_ONLY=other,traced_wait,third)" = ppoll ]
    [ "$(calls -E HRTIMEOUT_ONLY=other)" = pselect6 ]
    [ "$(calls -E HRTIMEOUT_ONLY=traced_wai)" = pselect6 ]
    [ "$(calls -E HRTIMEOUT_SKIP=traced_wait)" = pselect6 ]
    [ "$(calls -E HRTIMEOUT_SKIP=traced,traced_waits)" = ppoll ]
    [ "$(calls -E HRTIMEOUT_ONLY=traced_wait -E HRTIMEOUT_SKIP=traced_wait)" = pselect6 ]
}

@test "a program that isn't chosen is left as it is" {
    HRTIMEOUT_SKIP=slack_seen same "$PROG/slack_seen"
    HRTIMEOUT_SKIP=each_wait same "$PROG/each_wait" 12
}

@test "a script is chosen by its own name" {
    local script=$BATS_TEST_TMPDIR/chosen_script
    # The slack that the interpreter has tells whether the library acts in it; 30 is
    # PR_GET_TIMERSLACK.
    printf '#!/usr/bin/perl\nprint syscall(157, 30, 0, 0, 0, 0), "\\n";\n' >"$script"
    chmod +x "$script"
    [ "$(HRTIMEOUT_ONLY=chosen_script under timer "$script")" = 1 ]
    [ "$(HRTIMEOUT_SKIP=chosen_script under timer "$script")" = 50000 ]
    [ "$(HRTIMEOUT_ONLY=perl under timer perl "$script")" = 1 ]
}
