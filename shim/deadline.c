#include "deadline.h"

#include <limits.h>

/*
 * The upper half of a 64 x 64 bit product. 32-bit machines have no such instruction, and a division
 * by a constant would call a libgcc loop there.
 */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
#else
    uint64_t low = (uint64_t)(uint32_t)a * (uint32_t)b;
    uint64_t mid1 = (a >> 32) * (uint32_t)b + (low >> 32);
    uint64_t mid2 = (uint64_t)(uint32_t)a * (b >> 32) + (uint32_t)mid1;
    return (a >> 32) * (b >> 32) + (mid1 >> 32) + (mid2 >> 32);
#endif
}

/*
 * ns / 10^9 for 0 <= ns < 2^63, exact: 2^93 / 10^9 rounded up exceeds the true reciprocal by less
 * than one part in 2^63, so that the product's error stays below the distance to the next second.
 */
static uint64_t seconds_of(uint64_t ns)
{
    return multiply_high(ns, UINT64_C(9903520314283042200)) >> 29;
}

/* The seconds, and through `nsec` what is left of ns. */
static int64_t split(int64_t ns, uint32_t *nsec)
{
    uint64_t sec = seconds_of((uint64_t)ns);
    *nsec = (uint32_t)((uint64_t)ns - sec * (uint64_t)NS_PER_SEC);
    return (int64_t)sec;
}

struct timespec64 ns_to_timespec(int64_t ns)
{
    uint32_t nsec;
    int64_t sec = split(ns, &nsec);
    return (struct timespec64){.tv_sec = (sec64)sec, .tv_nsec = (nsec64)nsec};
}

struct timeval64 ns_to_timeval(int64_t ns)
{
    uint32_t nsec;
    int64_t sec = split(ns, &nsec);
    return (struct timeval64){.tv_sec = (sec64)sec,
                              .tv_usec = (usec64)(nsec / (uint32_t)NS_PER_US)};
}

struct timeval64 ns_to_timeval_up(int64_t ns)
{
    return ns_to_timeval(ns_add(ns, NS_PER_US - 1));
}

#define MS_SECONDS_MAX (INT_MAX / 1000)

int ns_to_ms(int64_t ns)
{
    uint32_t nsec;
    int64_t sec = split(ns, &nsec);
    if (sec >= MS_SECONDS_MAX) {
        return MS_SECONDS_MAX * 1000;
    }
    return (int)sec * 1000 + (int)(nsec / (uint32_t)NS_PER_MS);
}

int ns_to_ms_up(int64_t ns)
{
    return ns_to_ms(ns_add(ns, NS_PER_MS - 1));
}

uint32_t ns_to_seconds(int64_t ns)
{
    uint64_t sec = seconds_of((uint64_t)ns);
    return sec > UINT32_MAX ? UINT32_MAX : (uint32_t)sec;
}
