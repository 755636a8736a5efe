# Threads with little room, and processes that share the caller's memory.
load lib.bash
BATS_TEST_TIMEOUT=60

@test "every call on a stack of 16 KiB, select of 900 descriptors too" {
    same "$PROG/small_stack"
}

@test "vfork and posix_spawn children wait while a thread of the parent sleeps" {
    same "$PROG/spawned" 1000 200
}

@test "an epoll descriptor that another thread closes or replaces during the wait" {
    same "$PROG/epoll_closed"
}
