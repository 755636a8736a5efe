# The timer slack: set once, for all threads; never against the program's will.
load lib

slack_of() {
    paste -sd' ' | sed 's/started before: //; s/ main: / /; s/ started after: / /'
}

@test "threads started before and after the first wait have it" {
    local mode
    for mode in timer exact; do
        [ "$(under $mode "$PROG/slack_seen" | slack_of)" = "1 1 1" ]
    done
}

@test "observe mode leaves it as it is" {
    local MODES=observe
    same "$PROG/slack_seen"
}

@test "HRTIMEOUT_SLACK: a value, or keep" {
    [ "$(HRTIMEOUT_SLACK=2000 under timer "$PROG/slack_seen" | slack_of)" = "2000 2000 2000" ]
    HRTIMEOUT_SLACK=keep same "$PROG/slack_seen"
}

@test "a slack that the program asks for stays" {
    same "$PROG/slack_seen" own 100000000
    same "$PROG/slack_seen" own 7000
}

@test "a slack that the parent asked for stays" {
    # PR_SET_TIMERSLACK is 29.
    local parent='syscall(157, 29, 3000000, 0, 0, 0); exec @ARGV'
    [ "$(native perl -e "$parent" env LD_PRELOAD="$LIB" "$PROG/slack_seen" | slack_of)" = \
        "3000000 3000000 3000000" ]
}
