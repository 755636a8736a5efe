# Signals that arrive during a wait, of every kind and in every call.
load lib.bash
BATS_TEST_TIMEOUT=60

@test "a handler ends a long wait at once" {
    same "$PROG/interrupted" handler 60000
}

@test "a handler with SA_RESTART ends a long wait at once" {
    same "$PROG/interrupted" restart 60000
}

@test "a handler ends a wait without end at once" {
    same "$PROG/interrupted" handler forever
}

@test "an ignored signal isn't seen" {
    same "$PROG/interrupted" ignored 90
    same "$PROG/interrupted" default 90
}

@test "an ignored signal to the process that the main thread has blocked" {
    same "$PROG/interrupted" shared 60
}

@test "a signal at any moment of a wait: no early end, no EINTR without a handler" {
    same "$PROG/swept" 8
    same "$PROG/swept" 40
}

@test "SIGSTOP and SIGCONT: the deadline is kept" {
    MODES=observe same "$PROG/stopped"
    expected=$(native "$PROG/stopped" | sed 's/deadline moved/deadline kept/')
    grep -q 'epoll_wait: EINTR' <<<"$expected"
    better "$expected" "$PROG/stopped"
}

@test "stopped beyond the deadline, with a handler to run: EINTR" {
    same "$PROG/stopped" handler
}

@test "stopped beyond the deadline, with a handler to run, and nothing left to write as rest" {
    MODES=observe same "$PROG/stopped" rem
    better $'nanosleep: 0, rest not written\nclock_nanosleep: 0, rest not written' \
        "$PROG/stopped" rem
}

@test "masks: descriptor ready or not, timeout zero or not, signal pending or not" {
    same "$PROG/masks"
}

@test "a signal that only the mask lets in, sent round the start of a wait, is never lost" {
    same "$PROG/mask_race" 2500
}

@test "siglongjmp out of a wait leaves nothing behind" {
    same "$PROG/jumps" 1000
}

@test "waits in a handler, in a handler of a handler, and on an alternate stack" {
    same "$PROG/in_handler"
    same "$PROG/in_handler" 16
}

@test "waits in a handler that interrupts malloc and stdio don't deadlock" {
    same timeout 20 "$PROG/busy_handler" 1000
}
