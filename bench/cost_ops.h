/* The calls whose cost is measured: none of them waits. */
#ifndef BENCH_COST_OPS_H
#define BENCH_COST_OPS_H

#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

/* One set of functions: libc's own, or those the program is bound to. */
struct libc {
    int (*poll)(struct pollfd *, nfds_t, int);
    int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
    int (*select)(int, fd_set *, fd_set *, fd_set *, struct timeval *);
    int (*epoll_wait)(int, struct epoll_event *, int, int);
    int (*nanosleep)(const struct timespec *, struct timespec *);
    int (*clock_nanosleep)(clockid_t, int, const struct timespec *, struct timespec *);
    int (*usleep)(useconds_t);
};

struct cost_op {
    const char *name;
    void (*run)(const struct libc *);
};

extern const struct cost_op cost_ops[]; /* ends with a NULL name */

/* Opens the descriptors: 900 idle ones, with the last of each group ready. */
void cost_ops_open(void);

/* Whether one of the names begins this operation's name. */
bool cost_op_named(const struct cost_op *op, char **names);

#endif
