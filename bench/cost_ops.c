#include "cost_ops.h"

#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#define MANY 900

static int idle, ready, epoll_idle, epoll_ready;
static struct pollfd fds[MANY]; /* all idle, numbers rising */
static fd_set static_set, *heap_set, wanted;
static int wanted_count, wanted_nfds;

static int open_epoll(int fd)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        err(1, "epoll");
    }
    return epoll;
}

void cost_ops_open(void)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < FD_SETSIZE ? limit.rlim_max : FD_SETSIZE;
    setrlimit(RLIMIT_NOFILE, &limit);
    idle = eventfd(0, 0);
    ready = eventfd(1, 0);
    epoll_idle = open_epoll(idle);
    epoll_ready = open_epoll(ready);
    for (int i = 0; i < MANY; i++) {
        fds[i] = (struct pollfd){.fd = fcntl(idle, F_DUPFD, ready), .events = POLLIN};
        if (fds[i].fd < 0) {
            err(1, "%d descriptors", MANY);
        }
    }
    heap_set = malloc(sizeof(*heap_set));
    if (!heap_set) {
        err(1, "malloc");
    }
}

bool cost_op_named(const struct cost_op *op, char **names)
{
    for (; *names; names++) {
        if (strncmp(op->name, *names, strlen(*names)) == 0) {
            return true;
        }
    }
    return false;
}

static void poll_zero(const struct libc *libc)
{
    struct pollfd fd = {.fd = idle, .events = POLLIN};
    libc->poll(&fd, 1, 0);
}

static void ppoll_zero(const struct libc *libc)
{
    struct pollfd fd = {.fd = idle, .events = POLLIN};
    struct timespec t = {0, 0};
    libc->ppoll(&fd, 1, &t, NULL);
}

static void select_zero(const struct libc *libc)
{
    struct timeval t = {0, 0};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    libc->select(idle + 1, &set, NULL, NULL, &t);
}

static void epoll_zero(const struct libc *libc)
{
    struct epoll_event event;
    libc->epoll_wait(epoll_idle, &event, 1, 0);
}

static void epoll_ready_now(const struct libc *libc)
{
    struct epoll_event event;
    libc->epoll_wait(epoll_ready, &event, 1, 10000);
}

/* Makes the last of the first `n` descriptors the ready one, all others idle. */
static void want(int n)
{
    if (wanted_count == n) {
        return;
    }
    if (wanted_count) {
        dup2(idle, fds[wanted_count - 1].fd);
    }
    dup2(ready, fds[n - 1].fd);
    FD_ZERO(&wanted);
    for (int i = 0; i < n; i++) {
        FD_SET(fds[i].fd, &wanted);
    }
    wanted_count = n;
    wanted_nfds = fds[n - 1].fd + 1;
}

static void poll_ready(const struct libc *libc, int n)
{
    want(n);
    libc->poll(fds, (nfds_t)n, 10000);
}

static void poll_ready_1(const struct libc *libc)
{
    poll_ready(libc, 1);
}

static void poll_ready_64(const struct libc *libc)
{
    poll_ready(libc, 64);
}

static void poll_ready_900(const struct libc *libc)
{
    poll_ready(libc, MANY);
}

static void select_ready(const struct libc *libc, fd_set *set, int n)
{
    struct timeval t = {10, 0};
    want(n);
    *set = wanted;
    libc->select(wanted_nfds, set, NULL, NULL, &t);
}

#define SELECT_OPS(n)                                                                              \
    static void select_stack_##n(const struct libc *libc)                                          \
    {                                                                                              \
        fd_set set;                                                                                \
        select_ready(libc, &set, n);                                                               \
    }                                                                                              \
    static void select_static_##n(const struct libc *libc)                                         \
    {                                                                                              \
        select_ready(libc, &static_set, n);                                                        \
    }                                                                                              \
    static void select_heap_##n(const struct libc *libc)                                           \
    {                                                                                              \
        select_ready(libc, heap_set, n);                                                           \
    }

SELECT_OPS(1)
SELECT_OPS(64)
SELECT_OPS(900)

static void past(const struct libc *libc)
{
    struct timespec t = {1, 0};
    libc->clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void nanosleep_zero(const struct libc *libc)
{
    struct timespec t = {0, 0};
    libc->nanosleep(&t, NULL);
}

static void usleep_zero(const struct libc *libc)
{
    libc->usleep(0);
}

/* The same function twice: how far two equal figures may lie apart. */
static void yield(const struct libc *libc)
{
    (void)libc;
    sched_yield();
}

const struct cost_op cost_ops[] = {
    {"sched_yield", yield},
    {"zero:poll", poll_zero},
    {"zero:ppoll", ppoll_zero},
    {"zero:select", select_zero},
    {"zero:epoll_wait", epoll_zero},
    {"ready:poll:1", poll_ready_1},
    {"ready:poll:64", poll_ready_64},
    {"ready:poll:900", poll_ready_900},
    {"ready:epoll_wait:1", epoll_ready_now},
    {"ready:select:stack:1", select_stack_1},
    {"ready:select:static:1", select_static_1},
    {"ready:select:heap:1", select_heap_1},
    {"ready:select:stack:64", select_stack_64},
    {"ready:select:static:64", select_static_64},
    {"ready:select:heap:64", select_heap_64},
    {"ready:select:stack:900", select_stack_900},
    {"ready:select:static:900", select_static_900},
    {"ready:select:heap:900", select_heap_900},
    {"past:clock_nanosleep", past},
    {"nothing:nanosleep", nanosleep_zero},
    {"nothing:usleep", usleep_zero},
    {NULL, NULL},
};
