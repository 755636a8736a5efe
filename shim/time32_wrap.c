/*
 * The 32-bit time of 32-bit glibc: widens the time, lets the 64-bit body wait, narrows what comes
 * back. As libc's own shells do, these follow the request without asking whether it may be.
 */
#include "time64.h"

#ifdef TIME32_ABI

#include "export.h"
#include "real.h"
#include "uaccess.h"
#include "wait.h"

#include <errno.h>

static struct timespec64 widen(const struct timespec *ts)
{
    return (struct timespec64){.tv_sec = ts->tv_sec, .tv_nsec = (nsec64)ts->tv_nsec};
}

/* A remaining time is never longer than the 32-bit one that was asked for. */
static void narrow(struct timespec *to, const struct timespec64 *from)
{
    to->tv_sec = (time_t)from->tv_sec;
    to->tv_nsec = from->tv_nsec;
}

/* HRTIMEOUT_WRITEBACK=linux: what the body has written into the widened time. */
static void write_back_timespec32(const struct timespec *ts, const struct timespec64 *from)
{
    struct timespec *to = (struct timespec *)(uintptr_t)ts;
    if ((from->tv_sec != ts->tv_sec || from->tv_nsec != ts->tv_nsec) &&
        uaccess_writable(to, sizeof(*to))) {
        narrow(to, from);
    }
}

EXPORT int nanosleep(const struct timespec *req, struct timespec *rem)
{
    if (!wait_active()) {
        return real()->nanosleep(req, rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int r = __nanosleep64(&req64, rem ? &rem64 : NULL);
    if (r != 0 && rem && errno == EINTR) {
        narrow(rem, &rem64);
    }
    return r;
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *req,
                           struct timespec *rem)
{
    if (!wait_active()) {
        return real()->clock_nanosleep(clock, flags, req, rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int error = __clock_nanosleep_time64(clock, flags, &req64, rem ? &rem64 : NULL);
    if (error == EINTR && rem && !(flags & TIMER_ABSTIME)) {
        narrow(rem, &rem64);
    }
    return error;
}

EXPORT int thrd_sleep(const struct timespec *req, struct timespec *rem)
{
    if (!wait_active()) {
        return real()->thrd_sleep(req, rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int r = __thrd_sleep64(&req64, rem ? &rem64 : NULL);
    if (r == -1 && rem) {
        narrow(rem, &rem64);
    }
    return r;
}

EXPORT int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                 const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->ppoll(fds, count, timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    int r = __ppoll64(fds, count, &timeout64, mask);
    write_back_timespec32(timeout, &timeout64);
    return r;
}

EXPORT int select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv)
{
    if (!tv || !wait_active()) {
        return real()->select(nfds, r, w, e, tv);
    }
    struct timeval64 tv64 = {tv->tv_sec, tv->tv_usec};
    int result = __select64(nfds, r, w, e, &tv64);
    if ((tv64.tv_sec != tv->tv_sec || tv64.tv_usec != tv->tv_usec) &&
        uaccess_writable(tv, sizeof(*tv))) {
        tv->tv_sec = (time_t)tv64.tv_sec;
        tv->tv_usec = (suseconds_t)tv64.tv_usec;
    }
    return result;
}

EXPORT int pselect(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec *timeout,
                   const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->pselect(nfds, r, w, e, timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    int result = __pselect64(nfds, r, w, e, &timeout64, mask);
    write_back_timespec32(timeout, &timeout64);
    return result;
}

EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int max, const struct timespec *timeout,
                        const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->epoll_pwait2(fd, events, max, timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    return __epoll_pwait2_time64(fd, events, max, &timeout64, mask);
}

EXPORT_ALIAS(nanosleep) int __nanosleep(const struct timespec *req, struct timespec *rem);
EXPORT_ALIAS(select) int __select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv);

#endif
