/* One wait: its arguments made from an op, the call, and what came of it. */
#ifndef FUZZ_WAIT_H
#define FUZZ_WAIT_H

#include "memory.h"
#include "program.h"

#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/time.h>

struct wait {
    const struct op *op;
    struct slots slots;
    int epfd, nfds, ms;
    struct pollfd *fds;     /* our view; `fds_given` is what the call gets */
    unsigned char *sets[3]; /* likewise */
    struct epoll_event *events;
    void *fds_given, *sets_given[3], *events_given;
    struct timespec ts, rem;
    struct timespec *ts_given, *rem_given;
    struct timeval tv, tv_before;
    struct timeval *tv_given;
    sigset_t mask;
    sigset_t *mask_given;
    unsigned micros, seconds;
    volatile long result;
    volatile int error;
    volatile int64_t before, after; /* on CLOCK_MONOTONIC */
    volatile int64_t clock_after;   /* on the op's own clock */
};

/* Makes all arguments; `epfd` is the epoll descriptor, for the calls that take one. */
void wait_prepare(struct wait *w, const struct op *op, int epfd);
/* The call itself. Sets result, error, before and after. */
void wait_call(struct wait *w);
/* Says what came back. `event_from` is when whatever ended the wait came, 0 if it isn't known. */
void wait_report(const struct wait *w, int64_t event_from);
void wait_release(struct wait *w);

/* Did it end by timeout? And if so, before its deadline? */
bool wait_timed_out(const struct wait *w);
bool wait_early(const struct wait *w);

#endif
