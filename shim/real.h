/* The real functions: the next ones in lookup order, so that other preloads keep working. */
#ifndef HRTIMEOUT_REAL_H
#define HRTIMEOUT_REAL_H

#include "time64.h"

#include <poll.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifdef TIME32_ABI
int select64(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval64 *tv);
int pselect64(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec64 *timeout,
              const sigset_t *mask);
int ppoll64(struct pollfd *fds, nfds_t nfds, const struct timespec64 *timeout,
            const sigset_t *mask);
int nanosleep64(const struct timespec64 *req, struct timespec64 *rem);
int clock_nanosleep64(clockid_t clock, int flags, const struct timespec64 *req,
                      struct timespec64 *rem);
int thrd_sleep64(const struct timespec64 *req, struct timespec64 *rem);
#ifdef __GLIBC__
int epoll_pwait2_64(int fd, struct epoll_event *events, int max, const struct timespec64 *timeout,
                    const sigset_t *mask);
int __ppoll64_chk(struct pollfd *fds, nfds_t nfds, const struct timespec64 *timeout,
                  const sigset_t *mask, size_t size);
#else
/* The symbols that have the plain names; in C those mean the functions above. */
int select32(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval32 *tv) __asm__("select");
int pselect32(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec32 *timeout,
              const sigset_t *mask) __asm__("pselect");
int ppoll32(struct pollfd *fds, nfds_t nfds, const struct timespec32 *timeout,
            const sigset_t *mask) __asm__("ppoll");
int nanosleep32(const struct timespec32 *req, struct timespec32 *rem) __asm__("nanosleep");
int clock_nanosleep32(clockid_t clock, int flags, const struct timespec32 *req,
                      struct timespec32 *rem) __asm__("clock_nanosleep");
int thrd_sleep32(const struct timespec32 *req, struct timespec32 *rem) __asm__("thrd_sleep");
#endif
#endif

#ifdef __GLIBC__
/* Declared only where a fortified program is compiled. */
int __poll_chk(struct pollfd *fds, nfds_t nfds, int timeout, size_t size);
int __ppoll_chk(struct pollfd *fds, nfds_t nfds, const struct timespec *timeout,
                const sigset_t *mask, size_t size);
#endif

struct real {
    bool ready; /* looked up; a null pointer now means that this libc lacks the function */
#define WRAP(name, since) __typeof__(name) *name;
#define ALIAS(name, of)
#include "symbols.h"
#undef WRAP
#undef ALIAS
};

extern struct real real_table __attribute__((visibility("hidden")));

/*
 * Looks all of them up. Doesn't allocate: a name the running libc lacks isn't asked for. May run
 * more than once at a time; each run stores the same pointers.
 */
void real_lookup(void);

/* For the wrappers: works before the constructor has run as well. */
static inline const struct real *real(void)
{
    if (__builtin_expect(!__atomic_load_n(&real_table.ready, __ATOMIC_ACQUIRE), 0)) {
        real_lookup();
    }
    return &real_table;
}

/*
 * Whether somebody behind us answers for libc's clock: then the real functions count another time
 * than the kernel's, and an absolute deadline of ours would mean nothing to them.
 */
bool real_time_is_faked(void);

/* libc's own clock_gettime; NULL before real_time_is_faked() has found it. */
typedef int real_clock_function(clockid_t clock, struct timespec *ts);
real_clock_function *real_clock(void);

/* glibc's version as major * 100 + minor; 0 on another libc. */
int libc_version(void);

#endif
