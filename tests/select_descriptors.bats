# select and pselect by way of poll: the bits and the count are the kernel's own.
load lib

@test "each kind of descriptor, alone in each mixture of sets" {
    same "$PROG/select_kinds" alone
}

@test "all kinds of descriptors at once" {
    same "$PROG/select_kinds" together
}

@test "random mixtures of descriptors, most with nothing ready" {
    same "$PROG/select_kinds" random
}

@test "sets larger than fd_set and ending with their page: nothing is touched beyond" {
    same "$PROG/select_bitmaps"
}

@test "a closed descriptor is EBADF, one above the descriptor table is ignored" {
    same "$PROG/select_closed" </dev/null
}

@test "bits are counted; a hung-up pipe asked for writing blocks without CPU" {
    same "$PROG/select_counts" </dev/null
}

@test "the same by the real select in stages, as where a filter may kill" {
    export HRTIMEOUT_SANDBOX=same
    same "$PROG/select_kinds" random
    same "$PROG/select_bitmaps"
    same "$PROG/select_closed" </dev/null
}
