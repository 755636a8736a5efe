# What becomes of the timeout that a program passed in.
load lib.bash
BATS_TEST_TIMEOUT=60


@test "each way out of select, pselect and ppoll" {
    same "$PROG/writeback" libc
}

@test "WRITEBACK=linux: as the system calls themselves do it" {
    want=$(native "$PROG/writeback" raw)
    [ "$want" != "$(native "$PROG/writeback" libc)" ]
    for mode in timer exact; do
        got=$(HRTIMEOUT_WRITEBACK=linux under "$mode" "$PROG/writeback" libc)
        diff <(echo "$want") <(echo "$got")
    done
}

@test "WRITEBACK=none: timeouts stay as they were, all else is the same" {
    want=$(native "$PROG/writeback" libc | sed 's/; tv .*/; tv unchanged/')
    for mode in timer exact; do
        got=$(HRTIMEOUT_WRITEBACK=none under "$mode" "$PROG/writeback" libc)
        diff <(echo "$want") <(echo "$got")
    done
}

@test "under setarch -T select leaves the timeout alone" {
    [ "$(native setarch -T "$PROG/writeback" libc | grep -c 'tv zero')" = 0 ]
    same setarch -T "$PROG/writeback" libc
}

@test "a loop that lets select count its timeval down ends in time" {
    same "$PROG/tv_loops" busy
    better "0, many bytes, after 0.5 s" "$PROG/tv_loops" busy
}

@test "a timeval set once and used five times: native, and repaired by WRITEBACK=none" {
    same "$PROG/tv_loops" reused
    HRTIMEOUT_WRITEBACK=none better "0 other results, waited five times, timeval kept" \
        "$PROG/tv_loops" reused
}

@test "the rest that sleeps write or return" {
    same "$PROG/rest"
}
