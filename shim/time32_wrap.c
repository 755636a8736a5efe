/*
 * The 32-bit time of a 32-bit libc: widens the time, lets the 64-bit body wait, narrows what comes
 * back. As libc's own shells do, these follow the request without asking whether it may be.
 *
 * musl's headers declare the plain names with 64-bit time: hence the pointers to void.
 */
#include "time64.h"

#ifdef TIME32_ABI

#include "export.h"
#include "real.h"
#include "uaccess.h"
#include "wait.h"

#include <errno.h>

static struct timespec64 widen(const struct timespec32 *ts)
{
    return (struct timespec64){.tv_sec = ts->tv_sec, .tv_nsec = (nsec64)ts->tv_nsec};
}

/* A remaining time is never longer than the 32-bit one that was asked for. */
static void narrow(struct timespec32 *to, const struct timespec64 *from)
{
    to->tv_sec = (int32_t)from->tv_sec;
    to->tv_nsec = from->tv_nsec;
}

/* HRTIMEOUT_WRITEBACK=linux: what the body has written into the widened time. */
static void write_back_timespec32(const struct timespec32 *ts, const struct timespec64 *from)
{
    struct timespec32 *to = (struct timespec32 *)(uintptr_t)ts;
    if ((from->tv_sec != ts->tv_sec || from->tv_nsec != ts->tv_nsec) &&
        uaccess_writable(to, sizeof(*to))) {
        narrow(to, from);
    }
}

EXPORT int nanosleep32(const struct timespec32 *req, struct timespec32 *rem)
{
    if (!wait_active()) {
        return real()->nanosleep((const void *)req, (void *)rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int r = nanosleep64(&req64, rem ? &rem64 : NULL);
    if (r != 0 && rem && errno == EINTR) {
        narrow(rem, &rem64);
    }
    return r;
}

EXPORT int clock_nanosleep32(clockid_t clock, int flags, const struct timespec32 *req,
                             struct timespec32 *rem)
{
    if (!wait_active()) {
        return real()->clock_nanosleep(clock, flags, (const void *)req, (void *)rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int error = clock_nanosleep64(clock, flags, &req64, rem ? &rem64 : NULL);
    if (error == EINTR && rem && !(flags & TIMER_ABSTIME)) {
        narrow(rem, &rem64);
    }
    return error;
}

EXPORT int thrd_sleep32(const struct timespec32 *req, struct timespec32 *rem)
{
    if (!wait_active()) {
        return real()->thrd_sleep((const void *)req, (void *)rem);
    }
    struct timespec64 req64 = widen(req);
    struct timespec64 rem64;
    int r = thrd_sleep64(&req64, rem ? &rem64 : NULL);
    if (r == -1 && rem) {
        narrow(rem, &rem64);
    }
    return r;
}

EXPORT int ppoll32(struct pollfd *fds, nfds_t count, const struct timespec32 *timeout,
                   const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->ppoll(fds, count, (const void *)timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    int r = ppoll64(fds, count, &timeout64, mask);
    write_back_timespec32(timeout, &timeout64);
    return r;
}

EXPORT int select32(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval32 *tv)
{
    if (!tv || !wait_active()) {
        return real()->select(nfds, r, w, e, (void *)tv);
    }
    struct timeval64 tv64 = {tv->tv_sec, tv->tv_usec};
    if (tv64.tv_sec + tv->tv_usec / 1000000 > INT32_MAX) {
        return real()->select(nfds, r, w, e, (void *)tv); /* libc may refuse it */
    }
    int result = select64(nfds, r, w, e, &tv64);
    if ((tv64.tv_sec != tv->tv_sec || tv64.tv_usec != tv->tv_usec) &&
        uaccess_writable(tv, sizeof(*tv))) {
        tv->tv_sec = (int32_t)tv64.tv_sec;
        tv->tv_usec = (int32_t)tv64.tv_usec;
    }
    return result;
}

EXPORT int pselect32(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec32 *timeout,
                     const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->pselect(nfds, r, w, e, (const void *)timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    int result = pselect64(nfds, r, w, e, &timeout64, mask);
    write_back_timespec32(timeout, &timeout64);
    return result;
}

#ifdef __GLIBC__
EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int max,
                        const struct timespec32 *timeout, const sigset_t *mask)
{
    if (!timeout || !wait_active()) {
        return real()->epoll_pwait2(fd, events, max, timeout, mask);
    }
    struct timespec64 timeout64 = widen(timeout);
    return epoll_pwait2_64(fd, events, max, &timeout64, mask);
}

EXPORT_ALIAS(nanosleep) int __nanosleep(const struct timespec32 *req, struct timespec32 *rem);
EXPORT_ALIAS(select) int __select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval32 *tv);
#endif

#endif
