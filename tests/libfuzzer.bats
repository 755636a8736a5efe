#!/usr/bin/env bats
# Coverage-guided fuzzing for a moment each; `make libfuzz LIBFUZZ_SECONDS=600` for longer.
load lib.bash

targets() {
    find "$BUILD/libfuzzer" -maxdepth 1 -type f -perm -u+x -printf '%f\n' | sort
}

@test "arithmetic, settings, statistics and all else that reads bytes, 2 s each" {
    # shellcheck disable=SC2046 # a list of names
    run "$ROOT/tests/libfuzzer/libfuzz" 2 $(targets)
    echo "$output"
    [ "$status" = 0 ]
    [ -n "$(targets)" ]
}
