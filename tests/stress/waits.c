#include "storm.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

atomic_long waits, early, wrong;
atomic_bool over;

int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * S + t.tv_nsec;
}

unsigned dice(unsigned *seed, unsigned sides)
{
    return (unsigned)rand_r(seed) % sides;
}

static int wait_select(long ns, int fd, bool masked)
{
    struct timespec ts = {ns / S, ns % S};
    struct timeval tv = {ns / S, ns % S / US};
    fd_set set;
    FD_ZERO(&set);
    if (fd >= 0 && fd < FD_SETSIZE) {
        FD_SET(fd, &set);
    }
    return masked ? pselect(fd + 1, &set, NULL, NULL, &ts, NULL)
                  : select(fd + 1, &set, NULL, NULL, &tv);
}

static int wait_epoll(long ns, int fd, int how)
{
    struct timespec ts = {ns / S, ns % S};
    struct epoll_event event = {.events = EPOLLIN};
    int epfd = epoll_create1(EPOLL_CLOEXEC);
    if (epfd < 0) {
        return -1;
    }
    epoll_ctl(epfd, EPOLL_CTL_ADD, fd, &event);
    int r = how == 0   ? epoll_wait(epfd, &event, 1, (int)(ns / MS))
            : how == 1 ? epoll_pwait(epfd, &event, 1, (int)(ns / MS), NULL)
                       : epoll_pwait2(epfd, &event, 1, &ts, NULL);
    int saved = errno;
    close(epfd);
    errno = saved;
    return r;
}

static int wait_clock(clockid_t clock, int flags, long ns)
{
    struct timespec ts = {ns / S, ns % S};
    if (flags) {
        clock_gettime(clock, &ts);
        ts.tv_nsec += ns;
        ts.tv_sec += ts.tv_nsec / S;
        ts.tv_nsec %= S;
    }
    errno = clock_nanosleep(clock, flags, &ts, NULL);
    return errno ? -1 : 0;
}

/* What the kinds that take whole ms or us cut off isn't asked for. */
static long asked(unsigned kind, long ns)
{
    return kind == 0 || kind == 4 || kind == 5 ? ns / MS * MS
           : kind == 2 || kind == 8            ? ns / US * US
                                               : ns;
}

static int call(unsigned kind, long ns, int fd)
{
    struct timespec ts = {ns / S, ns % S};
    struct pollfd p = {fd, POLLIN, 0};
    switch (kind) {
    case 0:
        return poll(&p, 1, (int)(ns / MS));
    case 1:
        return ppoll(&p, 1, &ts, NULL);
    case 2:
    case 3:
        return wait_select(ns, fd, kind == 3);
    case 4:
    case 5:
    case 6:
        return wait_epoll(ns, fd, (int)kind - 4);
    case 7:
        return nanosleep(&ts, NULL);
    case 8:
        return usleep((useconds_t)(ns / US));
    case 9:
        return wait_clock(CLOCK_MONOTONIC, 0, ns);
    case 10:
        return wait_clock(CLOCK_MONOTONIC, TIMER_ABSTIME, ns);
    default:
        return poll(NULL, 0, (int)(ns / MS));
    }
}

enum ended one_wait(unsigned kind, long ns, int fd)
{
    if (kind == WAIT_KINDS - 1) {
        kind = 0;
        fd = -1;
    }
    int64_t start = now();
    int r = call(kind, ns, fd);
    int error = errno;
    int64_t took = now() - start;
    atomic_fetch_add(&waits, 1);
    if (r > 0) {
        return BY_READY;
    } else if (r < 0) {
        return error == EINTR ? BY_SIGNAL : BY_ERROR;
    }
    if (took < asked(kind, ns)) {
        atomic_fetch_add(&early, 1);
        fault("wait of kind %u ended %ld ns early", kind, (long)(asked(kind, ns) - took));
    }
    return BY_TIMEOUT;
}
