/*
 * The two ABIs of time on 32-bit glibc: there the plain names (nanosleep) take 32-bit time and
 * other names (__nanosleep64) take 64-bit time. Everywhere else the plain name is the 64-bit one.
 * The bodies are written once, against the names below; time32_wrap.c is the thin shell for 32-bit
 * time.
 */
#ifndef HRTIMEOUT_TIME64_H
#define HRTIMEOUT_TIME64_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#if defined(__GLIBC__) && defined(__TIMESIZE) && __TIMESIZE == 32
#define TIME32_ABI 1
#endif

#ifdef TIME32_ABI

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

#else

#define timespec64 timespec
#define timeval64  timeval

typedef time_t sec64;
typedef long nsec64;
typedef suseconds_t usec64;

#define nanosleep64       nanosleep
#define clock_nanosleep64 clock_nanosleep
#define thrd_sleep64      thrd_sleep
#define ppoll64           ppoll
#define select64          select
#define pselect64         pselect
#define epoll_pwait2_64   epoll_pwait2

#endif
#endif
