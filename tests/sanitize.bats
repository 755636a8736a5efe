#!/usr/bin/env bats
# A quick part of `make sanitize`: no report by a sanitizer, and other preloads beside the library.
load lib.bash

sanitize() {
    # The build of today, not that of the bats file's caller: its own directories are below it.
    SANITIZE_SEEDS=40 run env -u MAKEFLAGS BUILD="$BUILD" "$ROOT/tests/sanitize/sanitize" "$@"
    echo "$output"
    [ "$status" = 0 ]
}

@test "unit tests with address, undefined behaviour and thread sanitizer" {
    sanitize unit
}

@test "the library with address and undefined behaviour sanitizer, under programs of waits" {
    sanitize library
}

@test "storms with the library inside a program, under thread sanitizer" {
    sanitize inside
}

@test "jemalloc, eatmydata, libfaketime and a counting preload, before and after the library" {
    sanitize beside
}
