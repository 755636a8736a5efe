#!/usr/bin/env bats
# Storms: nothing hangs, leaks or ends early. `make stress STRESS_SECONDS=1800` for longer ones.
load lib.bash

@test "storms in timer and exact mode" {
    STRESS_SECONDS=${STRESS_SECONDS:-60} run "$ROOT/tests/stress/stress"
    echo "$output"
    [ "$status" = 0 ]
}
