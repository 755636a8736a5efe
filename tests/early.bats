# No wait ever ends by timeout before its deadline. By hand, over a million waits of all calls:
#   LD_PRELOAD=build/libhrtimeout.so HRTIMEOUT_MODE=exact HRTIMEOUT_CPU=100 build/tests/early 20000
load lib.bash
BATS_TEST_TIMEOUT=60

# none_early COMMAND...: as natively, and no call was ever early or ended otherwise
none_early() {
    local report
    report=$(native "$@")
    [ "$(grep -c ' 0 early, 0 not ended by timeout' <<<"$report")" = "$(wc -l <<<"$report")" ]
    same "$@"
}

@test "never early: every call, 1 us to 30 ms" {
    none_early "$PROG/early" 200
}

@test "never early while threads move from CPU to CPU" {
    none_early "$PROG/early" 200 migrate
}

@test "never early on a small CPU budget" {
    MODES=exact HRTIMEOUT_CPU=5 none_early "$PROG/early" 200
}

@test "never early at a nice value, where the kernel's own slack is larger" {
    none_early nice -n 5 "$PROG/early" 100
}

@test "never early with the clock that counts suspend" {
    MODES="timer exact" HRTIMEOUT_CLOCK=boottime none_early "$PROG/early" 100
}
