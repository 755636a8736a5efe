/*
 * One library for every glibc from 2.17 on. Linked on a newer one it would ask for the versions
 * that glibc 2.33 and 2.34 gave to old functions when libdl and libpthread became part of libc;
 * here they are bound to the version that each ABI has had from its start. Until 2.34 these
 * functions live in libdl and libpthread, and a program may have neither: so they are weak.
 */
#ifndef HRTIMEOUT_OLD_GLIBC_H
#define HRTIMEOUT_OLD_GLIBC_H

#include "real.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __GLIBC__

#if defined(__x86_64__)
#define OLDEST_GLIBC "GLIBC_2.2.5"
#define OLDEST_CLOCK OLDEST_GLIBC
#define OLDEST_STAT  1
#elif defined(__i386__)
#define OLDEST_GLIBC "GLIBC_2.0"
#define OLDEST_CLOCK "GLIBC_2.2"
#define OLDEST_STAT  3
#elif defined(__arm__)
#define OLDEST_GLIBC "GLIBC_2.4"
#define OLDEST_CLOCK OLDEST_GLIBC
#define OLDEST_STAT  3
#elif defined(__aarch64__)
#define OLDEST_GLIBC "GLIBC_2.17"
#define OLDEST_CLOCK OLDEST_GLIBC
#define OLDEST_STAT  0
#else
#error "which version is this machine's first?"
#endif

__asm__(".symver dlsym, dlsym@" OLDEST_GLIBC);
__asm__(".symver pthread_testcancel, pthread_testcancel@" OLDEST_GLIBC);
__asm__(".symver pthread_getcpuclockid, pthread_getcpuclockid@" OLDEST_CLOCK);
#pragma weak dlsym
#pragma weak pthread_testcancel
#pragma weak pthread_getcpuclockid

/* Whether the program has libdl. */
static inline bool has_libdl(void)
{
    return dlsym;
}

/* What can't be cancelled without libpthread. */
static inline void cancellation_point(void)
{
    if (pthread_testcancel) {
        pthread_testcancel();
    }
}

/* The calling thread's CPU clock; false without libpthread. */
static inline bool own_cpu_clock(clockid_t *clock)
{
    return pthread_getcpuclockid && pthread_getcpuclockid(pthread_self(), clock) == 0;
}

/* What fstat() was until 2.33; the first argument says which layout is meant. */
int __fxstat64(int layout, int fd, struct stat64 *st);

/*
 * With the system call that this libc's own loader has made for each file: a filter may know no
 * other. From 2.33 on that's newfstatat, which the old function doesn't make.
 */
static inline int file_status(int fd, struct stat64 *st)
{
#ifdef SYS_newfstatat
    if (libc_version() >= 233) {
        return (int)syscall(SYS_newfstatat, fd, "", st, AT_EMPTY_PATH);
    }
#endif
    return __fxstat64(OLDEST_STAT, fd, st);
}

#else

#define stat64 stat

static inline bool has_libdl(void)
{
    return true;
}

static inline void cancellation_point(void)
{
    pthread_testcancel();
}

static inline bool own_cpu_clock(clockid_t *clock)
{
    return pthread_getcpuclockid(pthread_self(), clock) == 0;
}

static inline int file_status(int fd, struct stat *st)
{
    return fstat(fd, st);
}

#endif
#endif
