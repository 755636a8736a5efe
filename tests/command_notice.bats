# What run --report notices in programs that wait carelessly.
load lib.bash

setup() {
    T=$(mktemp -d)
    unset HRTIMEOUT_MODE HRTIMEOUT_STATS
}

teardown() {
    rm -rf "$T"
}

# noticed CALL NOTICE LEAST WORDS: in each mode, this notice alone, at least so often, with these
# words in its line
noticed() {
    local mode
    for mode in $MODES; do
        "$HRTIMEOUT" run --mode "$mode" --report=json --report-file "$T/r" "$PROG/careless" "$2"
        jq -e --arg c "$1" --arg n "$2" --argjson k "$3" --arg w "$4" '.notices | length == 1 and
            (.[0] | .call == $c and .notice == $n and .count >= $k and (.text | contains($w)))' "$T/r" ||
            { echo "mode $mode"; jq .notices "$T/r"; return 1; }
    done
}

@test "zero timeouts in a burst" {
    noticed poll zero_burst 900 "busy loop"
}

@test "the same timeout armed again after EINTR" {
    noticed poll rearmed 8 "--eintr resume"
}

@test "sleeps cut short by signals" {
    for mode in $MODES; do
        "$HRTIMEOUT" run --mode "$mode" --report=json --report-file "$T/r" "$PROG/careless" cut_short
        jq -e '.notices[] | select(.notice == "cut_short") | .call == "usleep" and .count == 10 and
            (.text | contains("cut short by a signal, 10 times"))' "$T/r"
    done
}

@test "sleeps refused with EINVAL" {
    noticed nanosleep invalid 10 "tv_nsec must be below 1000000000"
}

@test "a sleep of over an hour from a microsecond call" {
    for mode in $MODES; do
        "$HRTIMEOUT" run --mode "$mode" --report=json --report-file "$T/r" "$PROG/careless" absurd
        jq -e '.notices[] | select(.notice == "absurd") | .call == "usleep" and .count == 1 and
            (.text | contains("over an hour"))' "$T/r"
    done
}

@test "a timeval reused at zero" {
    noticed select zeroed_timeval 10 "--writeback none"
}

@test "a hung-up descriptor polled in a loop" {
    noticed poll hung_up 900 "hung-up descriptor"
}

@test "nothing is noticed in a careful program" {
    for mode in $MODES; do
        "$HRTIMEOUT" run --mode "$mode" --report=json --report-file "$T/r" "$PROG/careless" careful
        jq -e '.notices == [] and (.calls | length == 3)' "$T/r"
    done
}

@test "the table has them as lines" {
    "$HRTIMEOUT" run --report-file "$T/r" "$PROG/careless" hung_up
    cat "$T/r"
    grep -Eq '^poll: the same hung-up descriptor reported over and over, [0-9]+ times; close it' "$T/r"
    grep -qx noticed "$T/r"
}
