/* nanosleep, clock_nanosleep, usleep, sleep, thrd_sleep. */
#include "clock.h"
#include "deadline.h"
#include "export.h"
#include "old_glibc.h"
#include "real.h"
#include "sandbox.h"
#include "uaccess.h"
#include "wait.h"

#include <errno.h>
#include <sched.h>

/* What a sleep's body answers when only the real function, with the caller's arguments, will do. */
#define PASS (-1)

/*
 * Sleeping for no time: one sched_yield, which legacy code means by it; the kernel's own way takes
 * a timer and its slack. Under a filter that may kill it would be a system call too many.
 */
static int yield(enum stat_call call)
{
    if (sandbox() == SANDBOX_MAY_KILL) {
        return PASS;
    }
    int saved = errno;
    cancellation_point();
    sched_yield();
    errno = saved;
    stats_end(call, END_ZERO);
    return 0;
}

/*
 * Sleeps for `ns` (0 or more) on `clock`: 0, an error number with `*left` the time left, or PASS.
 */
static int sleep_for(enum stat_call call, clockid_t clock, int64_t ns, int64_t *left)
{
    if (!wait_active() || !wait_may_sleep(call)) {
        return PASS;
    }
    if (ns == 0) {
        return yield(call);
    }
    struct stat_wait counted =
        stats_begin(call, ns); /* first, or a wait on time would seem early */
    int64_t deadline = ns_add(clock_now(clock), ns);
    int error = wait_sleep(call, clock, deadline, ns);
    if (error && sandbox_refused(EXTRA_CLOCK_NANOSLEEP, error)) {
        stats_did(call, PASS_DENIED);
        return PASS;
    }
    *left = error ? ns_remaining(deadline, clock_now(clock)) : 0;
    stats_result(&counted, false, error);
    return error;
}

/*
 * The body of the calls that take a timespec and give one back. The kernel's order: the request is
 * read, then judged; the remainder is written only after a signal, and when there is one.
 */
static int sleep_timespec(enum stat_call call, clockid_t clock, const struct timespec64 *req,
                          struct timespec64 *rem)
{
    int64_t left;
    if (!wait_active() || !uaccess_readable(req, sizeof(*req)) ||
        (rem && sandbox() == SANDBOX_MAY_KILL && !uaccess_known(rem, sizeof(*rem)))) {
        return PASS;
    }
    int64_t ns = timespec_length(req);
    if (ns < 0) {
        return PASS;
    }
    int error = sleep_for(call, clock, ns, &left);
    if (error != EINTR || !rem) {
        return error;
    }
    if (left == 0) {
        return 0;
    }
    if (!uaccess_writable(rem, sizeof(*rem))) {
        return EFAULT;
    }
    *rem = ns_to_timespec(left);
    return error;
}

/* Counts a sleep that the real function made; `error` is its error number. */
static int passed(struct stat_wait *counted, int error)
{
    stats_result(counted, false, error);
    return error;
}

/* The request's length for counting alone: nothing is followed that might not be there. */
static int64_t requested(const struct timespec64 *req)
{
    if (!stats_on() || !uaccess_readable(req, sizeof(*req))) {
        return 0;
    }
    int64_t ns = timespec_length(req);
    return ns < 0 ? 0 : ns;
}

EXPORT int nanosleep64(const struct timespec64 *req, struct timespec64 *rem)
{
    int error = sleep_timespec(CALL_NANOSLEEP, policy.clock, req, rem);
    if (error == PASS) {
        struct stat_wait counted = stats_begin(CALL_NANOSLEEP, requested(req));
        int r = real()->nanosleep64(req, rem);
        passed(&counted, r ? errno : 0);
        return r;
    }
    if (error) {
        errno = error;
        return -1;
    }
    return 0;
}

/* An absolute sleep: on its own clock, with the caller's own time; one that has passed is over. */
static int sleep_until(clockid_t clock, const struct timespec64 *req)
{
    if (!wait_active() || !uaccess_readable(req, sizeof(*req))) {
        return PASS;
    }
    int64_t deadline = timespec_length(req);
    if (deadline < 0) {
        return PASS;
    }
    int64_t left = ns_remaining(deadline, clock_now(clock));
    if (left == 0) {
        cancellation_point();
        stats_did(CALL_CLOCK_NANOSLEEP, DID_PAST);
        stats_end(CALL_CLOCK_NANOSLEEP, END_ZERO);
        return 0;
    }
    struct stat_wait counted = {CALL_CLOCK_NANOSLEEP, left, clock, deadline};
    int error = wait_sleep(CALL_CLOCK_NANOSLEEP, clock, deadline, left);
    stats_result(&counted, false, error);
    return error;
}

static bool known_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
}

/* What counting needs of a sleep that the real function makes. */
static struct stat_wait passed_sleep(clockid_t clock, int flags, const struct timespec64 *req)
{
    int64_t ns = requested(req);
    if (ns == 0 || !(flags & TIMER_ABSTIME) || !known_clock(clock)) {
        return stats_begin(CALL_CLOCK_NANOSLEEP, flags & TIMER_ABSTIME ? 0 : ns);
    }
    return (struct stat_wait){CALL_CLOCK_NANOSLEEP, ns_remaining(ns, clock_now(clock)), clock, ns};
}

/* A relative CLOCK_REALTIME sleep isn't moved when that clock is set: it counts as monotonic. */
static int sleep_on(clockid_t clock, int flags, const struct timespec64 *req,
                    struct timespec64 *rem)
{
    if (!known_clock(clock) || (flags & ~TIMER_ABSTIME)) {
        stats_did(CALL_CLOCK_NANOSLEEP, PASS_ARGUMENT);
        return PASS;
    }
    if (flags & TIMER_ABSTIME) {
        return sleep_until(clock, req);
    }
    return sleep_timespec(CALL_CLOCK_NANOSLEEP, clock == CLOCK_BOOTTIME ? clock : policy.clock, req,
                          rem);
}

EXPORT int clock_nanosleep64(clockid_t clock, int flags, const struct timespec64 *req,
                             struct timespec64 *rem)
{
    int error = sleep_on(clock, flags, req, rem);
    if (error != PASS) {
        return error;
    }
    struct stat_wait counted = passed_sleep(clock, flags, req);
    return passed(&counted, real()->clock_nanosleep64(clock, flags, req, rem));
}

EXPORT int usleep(useconds_t us)
{
    int64_t left;
    int error = sleep_for(CALL_USLEEP, policy.clock, ns_from_us(us), &left);
    if (error == PASS) {
        struct stat_wait counted = stats_begin(CALL_USLEEP, ns_from_us(us));
        int r = real()->usleep(us);
        passed(&counted, r ? errno : 0);
        return r;
    }
    if (error) {
        errno = error;
        return -1;
    }
    return 0;
}

/* As libc's, this leaves EINTR in errno when a signal cut it short; the seconds left are cut. */
EXPORT unsigned sleep(unsigned seconds)
{
    int64_t left;
    int64_t ns = ns_from_parts(seconds, 0);
    int error = sleep_for(CALL_SLEEP, policy.clock, ns, &left);
    if (error == PASS) {
        struct stat_wait counted = stats_begin(CALL_SLEEP, ns);
        unsigned r = real()->sleep(seconds);
        passed(&counted, r ? EINTR : 0);
        return r;
    }
    if (error == 0 || left == 0) {
        return 0;
    }
    errno = error;
    return ns_to_seconds(left);
}

EXPORT int thrd_sleep64(const struct timespec64 *req, struct timespec64 *rem)
{
    int error = sleep_timespec(CALL_THRD_SLEEP, policy.clock, req, rem);
    if (error == PASS) {
        struct stat_wait counted = stats_begin(CALL_THRD_SLEEP, requested(req));
        int r = real()->thrd_sleep64(req, rem);
        passed(&counted, r == 0 ? 0 : r == -1 ? EINTR : EINVAL);
        return r;
    }
    /* C11 7.26.5.7: -1 for a signal, another negative value for any other error. */
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

#if defined(__GLIBC__) && !defined(TIME32_ABI)
EXPORT_ALIAS(nanosleep) int __nanosleep(const struct timespec *req, struct timespec *rem);
#endif
