/*
 * What a call costs that doesn't wait: each operation by libc's own function and by whatever this
 * program is bound to, in turns within one process, so that noise meets both. Prints a line for
 * each: operation, ns by libc, ns as bound. Without the library both are the same function.
 */
#include "clock.h"
#include "cost_ops.h"
#include <dlfcn.h>
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS   120
#define ROUND_NS 60000

static int64_t round_ns(void (*op)(const struct libc *), const struct libc *libc, int calls)
{
    int64_t start = now_ns();
    for (int i = 0; i < calls; i++) {
        op(libc);
    }
    return (now_ns() - start) * 100 / calls;
}

static void bind(struct libc *to, void *handle)
{
    to->poll = (int (*)(struct pollfd *, nfds_t, int))dlsym(handle, "poll");
    to->ppoll = (int (*)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))dlsym(
        handle, "ppoll");
    to->select =
        (int (*)(int, fd_set *, fd_set *, fd_set *, struct timeval *))dlsym(handle, "select");
    to->epoll_wait = (int (*)(int, struct epoll_event *, int, int))dlsym(handle, "epoll_wait");
    to->nanosleep = (int (*)(const struct timespec *, struct timespec *))dlsym(handle, "nanosleep");
    to->clock_nanosleep = (int (*)(clockid_t, int, const struct timespec *,
                                   struct timespec *))dlsym(handle, "clock_nanosleep");
    to->usleep = (int (*)(useconds_t))dlsym(handle, "usleep");
    if (!to->poll || !to->ppoll || !to->select || !to->epoll_wait || !to->nanosleep ||
        !to->clock_nanosleep || !to->usleep) {
        errx(1, "a function is missing: %s", dlerror());
    }
}

/* The best round of each: what is left when nothing came between. */
static void measure(const struct cost_op *op, const struct libc *own, const struct libc *bound)
{
    int64_t best_own = INT64_MAX, best_bound = INT64_MAX;
    int64_t once = round_ns(op->run, own, 20) / 100;
    int calls = once > ROUND_NS / 10 ? 10 : (int)(ROUND_NS / (once + 1)) + 1;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t a = round_ns(op->run, own, calls), b = round_ns(op->run, bound, calls);
        best_own = a < best_own ? a : best_own;
        best_bound = b < best_bound ? b : best_bound;
    }
    printf("%s %.2f %.2f\n", op->name, (double)best_own / 100, (double)best_bound / 100);
}

int main(int argc, char **argv)
{
    struct libc own, bound;
    void *handle = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    if (!handle) {
        errx(1, "%s", dlerror());
    }
    bind(&own, handle);
    bind(&bound, RTLD_DEFAULT);
    cost_ops_open();
    for (const struct cost_op *op = cost_ops; op->name; op++) {
        if (argc < 2 || cost_op_named(op, argv + 1)) {
            measure(op, &own, &bound);
        }
    }
    return 0;
}
