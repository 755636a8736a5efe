# pthread_cancel: every wrapped call is a cancellation point, always.
load lib.bash
BATS_TEST_TIMEOUT=60

@test "a thread that waits 60 s is cancelled at once, and cleans up" {
    same "$PROG/cancelled" waiting
}

@test "a thread that waits without end is cancelled at once, and cleans up" {
    same "$PROG/cancelled" forever
}

@test "a cancellation that is there already acts, even when there is nothing to wait for" {
    same "$PROG/cancelled" pending
}

@test "threads in short waits are cancelled at any moment, also of a spin" {
    same "$PROG/cancelled" spinning
}

@test "a thread with cancellation disabled waits to its deadline" {
    same "$PROG/cancelled" disabled
}
