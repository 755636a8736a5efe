#!/usr/bin/env bats
# Random programs of waits say the same natively and under the library. `make fuzz` runs more.
load lib.bash

# Nothing at all is compared when a namespace can't be had: that is said, not passed over.
setup_file() {
    unshare -n true 2>/dev/null || unshare -rn true 2>/dev/null || skip "no network namespace"
}

@test "random programs: 400 seeds in observe, timer and exact mode" {
    run "$ROOT/tests/fuzz/fuzz" --seeds 400 --first 1 --configs observe,timer,exact
    echo "$output"
    [ "$status" = 0 ]
}

@test "random programs: 150 seeds with a small CPU budget and as in a sandbox" {
    run "$ROOT/tests/fuzz/fuzz" --seeds 150 --first 1001 --configs budget,same,same-exact
    echo "$output"
    [ "$status" = 0 ]
}

@test "the fuzzer sees a library that returns early" {
    # Where timers fire 1 % early by a preload of its own, it must say so and exit 1.
    LIBRARY=$BUILD/fuzz/libearly.so run "$ROOT/tests/fuzz/fuzz" --seeds 3 --no-shrink --configs timer
    [ "$status" = 1 ]
    [[ $output == *EARLY* ]]
}
