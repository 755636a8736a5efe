/*
 * All time arithmetic. Time is int64 ns everywhere inside; what doesn't fit saturates, so nothing
 * wraps and no difference is assumed to be small (a virtual CPU may be away for seconds). None of
 * these touches errno, calls anything or divides 64-bit numbers: all are async-signal-safe.
 */
#ifndef HRTIMEOUT_DEADLINE_H
#define HRTIMEOUT_DEADLINE_H

#include "time64.h"

#include <stdbool.h>
#include <stdint.h>

#define NS_PER_SEC INT64_C(1000000000)
#define NS_PER_MS  INT64_C(1000000)
#define NS_PER_US  INT64_C(1000)

/* A deadline that never comes (292 years of uptime). */
#define DEADLINE_NEVER INT64_MAX

/* a + b in ns, saturating at both ends. */
static inline int64_t ns_add(int64_t a, int64_t b)
{
    int64_t sum;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

/* deadline - now in ns, 0 when it has passed; saturating. A deadline that never comes stays so. */
static inline int64_t ns_remaining(int64_t deadline, int64_t now)
{
    int64_t left;
    if (deadline == DEADLINE_NEVER) {
        return DEADLINE_NEVER;
    }
    if (__builtin_sub_overflow(deadline, now, &left)) {
        return deadline < 0 ? 0 : INT64_MAX;
    }
    return left < 0 ? 0 : left;
}

/* Seconds and nanoseconds (nsec from 0 to 999999999) as ns, saturating. */
static inline int64_t ns_from_parts(int64_t sec, int64_t nsec)
{
    int64_t ns;
    if (__builtin_mul_overflow(sec, NS_PER_SEC, &ns)) {
        return sec < 0 ? INT64_MIN : INT64_MAX;
    }
    return ns_add(ns, nsec);
}

/* Milliseconds as ns; any int. */
static inline int64_t ns_from_ms(int ms)
{
    return ms * NS_PER_MS;
}

/* Microseconds as ns; any useconds_t. */
static inline int64_t ns_from_us(uint32_t us)
{
    return us * NS_PER_US;
}

/*
 * A timespec as the kernel checks one: false for a negative second or a nanosecond outside 0 to
 * 999999999, for which every call answers EINVAL.
 */
static inline bool timespec_valid(int64_t sec, int64_t nsec)
{
    return sec >= 0 && (uint64_t)nsec < (uint64_t)NS_PER_SEC;
}

/* A timespec in ns, saturating; -1 for one that every call refuses. */
static inline int64_t timespec_length(const struct timespec64 *ts)
{
    return timespec_valid(ts->tv_sec, ts->tv_nsec) ? ns_from_parts(ts->tv_sec, ts->tv_nsec) : -1;
}

/* ns (0 or more) as a timespec. */
struct timespec64 ns_to_timespec(int64_t ns);

/* ns (0 or more) as a timeval, cut to us; rounded up to us. */
struct timeval64 ns_to_timeval(int64_t ns);
struct timeval64 ns_to_timeval_up(int64_t ns);

/*
 * ns (0 or more) as ms, cut; rounded up. At most 24.8 days (2147483000): who waits longer waits in
 * several stages.
 */
int ns_to_ms(int64_t ns);
int ns_to_ms_up(int64_t ns);

/* ns (0 or more) as whole seconds, cut. At most UINT32_MAX. */
uint32_t ns_to_seconds(int64_t ns);

#endif
