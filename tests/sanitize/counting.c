/* A preload that counts the waits and hands them on: another link in the chain, before or after. */
#include <dlfcn.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>

atomic_long counted;

static void *next(const char *name)
{
    atomic_fetch_add(&counted, 1);
    return dlsym(RTLD_NEXT, name);
}

int poll(struct pollfd *fds, nfds_t count, int ms)
{
    int (*real)(struct pollfd *, nfds_t, int) = next("poll");
    return real(fds, count, ms);
}

int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout, const sigset_t *mask)
{
    int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *) = next("ppoll");
    return real(fds, count, timeout, mask);
}

int select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv)
{
    int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *) = next("select");
    return real(nfds, r, w, e, tv);
}

int pselect(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
            const sigset_t *mask)
{
    int (*real)(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *) =
        next("pselect");
    return real(nfds, r, w, e, timeout, mask);
}

int epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
    int (*real)(int, struct epoll_event *, int, int) = next("epoll_wait");
    return real(fd, events, max, ms);
}

int epoll_pwait2(int fd, struct epoll_event *events, int max, const struct timespec *timeout,
                 const sigset_t *mask)
{
    int (*real)(int, struct epoll_event *, int, const struct timespec *, const sigset_t *) =
        next("epoll_pwait2");
    return real(fd, events, max, timeout, mask);
}

int nanosleep(const struct timespec *req, struct timespec *rem)
{
    int (*real)(const struct timespec *, struct timespec *) = next("nanosleep");
    return real(req, rem);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *req, struct timespec *rem)
{
    int (*real)(clockid_t, int, const struct timespec *, struct timespec *) =
        next("clock_nanosleep");
    return real(clock, flags, req, rem);
}
