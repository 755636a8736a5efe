/*
 * The two ABIs of time on a 32-bit libc: there the plain names (nanosleep) take 32-bit time and
 * other names (glibc's __nanosleep64, musl's __nanosleep_time64) take 64-bit time. Everywhere else
 * the plain name is the 64-bit one. The bodies are written once, against the names below;
 * time32_wrap.c is the thin shell for 32-bit time.
 */
#ifndef HRTIMEOUT_TIME64_H
#define HRTIMEOUT_TIME64_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#ifdef __GLIBC__
#if __TIMESIZE == 32
#define TIME32_ABI 1
#endif
#elif __SIZEOF_LONG__ == 4
#define TIME32_ABI 1
#endif

#if defined(TIME32_ABI) && defined(__GLIBC__)

#define timespec32 timespec
#define timeval32  timeval

#define nanosleep32       nanosleep
#define clock_nanosleep32 clock_nanosleep
#define thrd_sleep32      thrd_sleep
#define ppoll32           ppoll
#define select32          select
#define pselect32         pselect

/* As glibc's internal types; both kinds of machine that have this ABI are little-endian. */
struct timespec64 {
    int64_t tv_sec;
    int32_t tv_nsec;
    int32_t padding;
};

struct timeval64 {
    int64_t tv_sec;
    int64_t tv_usec;
};

typedef int64_t sec64;
typedef int32_t nsec64;
typedef int64_t usec64;

#define nanosleep64       __nanosleep64
#define clock_nanosleep64 __clock_nanosleep_time64
#define thrd_sleep64      __thrd_sleep64
#define ppoll64           __ppoll64
#define select64          __select64
#define pselect64         __pselect64
#define epoll_pwait2_64   __epoll_pwait2_time64

#else /* timespec is the 64-bit one */

#ifdef TIME32_ABI
struct timespec32 {
    int32_t tv_sec;
    int32_t tv_nsec;
};

struct timeval32 {
    int32_t tv_sec;
    int32_t tv_usec;
};
#endif

#define timespec64 timespec
#define timeval64  timeval

typedef time_t sec64;
typedef long nsec64;
typedef suseconds_t usec64;

#ifdef TIME32_ABI
#define nanosleep64       __nanosleep_time64
#define clock_nanosleep64 __clock_nanosleep_time64
#define thrd_sleep64      __thrd_sleep_time64
#define ppoll64           __ppoll_time64
#define select64          __select_time64
#define pselect64         __pselect_time64
#else
#define nanosleep64       nanosleep
#define clock_nanosleep64 clock_nanosleep
#define thrd_sleep64      thrd_sleep
#define ppoll64           ppoll
#define select64          select
#define pselect64         pselect
#define epoll_pwait2_64   epoll_pwait2
#endif

#endif
#endif
