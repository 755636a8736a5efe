/* One timed wait of every kind, for programs that put them where they're hard: under a system call
 * filter, in a constructor, on a small stack. Allocates nothing. */
#ifndef EACH_WAIT_H
#define EACH_WAIT_H

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Newer machines have only the general calls. */
#ifndef SYS_poll
#define SYS_poll       SYS_ppoll
#define SYS_epoll_wait SYS_epoll_pwait
#endif

#define FOREVER INT64_MAX /* no timeout at all; descriptor waits only */

/* What the descriptor waits look at: a pipe nobody writes to, unless the program writes a byte. */
static int wait_pipe[2];
static int wait_epoll;

/* Memory of no well-known kind: neither stack nor heap nor the program's data. */
static union {
    fd_set set;
    struct timespec ts;
} * wait_mapped;

static inline bool each_wait_open(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    if (pipe(wait_pipe) != 0) {
        return false;
    }
    wait_mapped = mmap(NULL, sizeof(*wait_mapped), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    wait_epoll = epoll_create1(0);
    return wait_mapped != MAP_FAILED && wait_epoll >= 0 &&
           epoll_ctl(wait_epoll, EPOLL_CTL_ADD, wait_pipe[0], &event) == 0;
}

static inline void each_wait_close(void)
{
    munmap(wait_mapped, sizeof(*wait_mapped));
    close(wait_epoll);
    close(wait_pipe[0]);
    close(wait_pipe[1]);
}

static inline int64_t now_on(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static inline struct timespec spec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
}

/* Rounded up, as a caller would who must not wake early. */
static inline int ms_of(int64_t ns)
{
    return ns == FOREVER ? -1 : (int)((ns + 999999) / 1000000);
}

static inline int or_errno(int result)
{
    return result < 0 ? -errno : result;
}

static inline int do_nanosleep(int64_t ns)
{
    struct timespec ts = spec_of(ns);
    return or_errno(nanosleep(&ts, NULL));
}

static inline int do_nanosleep_mapped(int64_t ns)
{
    wait_mapped->ts = spec_of(ns);
    return or_errno(nanosleep(&wait_mapped->ts, &wait_mapped->ts));
}

static inline int do_clock_nanosleep(int64_t ns)
{
    struct timespec ts = spec_of(ns);
    return -clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

/* A negative ns is a deadline that has passed. */
static inline int do_abstime(int64_t ns)
{
    struct timespec ts = spec_of(now_on(CLOCK_MONOTONIC) + ns);
    return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

static inline int do_abstime_real(int64_t ns)
{
    struct timespec ts = spec_of(now_on(CLOCK_REALTIME) + ns);
    return -clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &ts, NULL);
}

static inline int do_usleep(int64_t ns)
{
    return or_errno(usleep((useconds_t)((ns + 999) / 1000)));
}

/* It leaves errno alone: -1 is an interruption, anything below another error. */
static inline int do_thrd_sleep(int64_t ns)
{
    struct timespec ts = spec_of(ns);
    int result = thrd_sleep(&ts, NULL);
    return result == 0 ? 0 : result == -1 ? -EINTR : -EIO;
}

static inline int do_sleep(int64_t ns)
{
    return (int)sleep((unsigned)((ns + 999999999) / 1000000000));
}

static inline int select_of(int64_t ns, fd_set *set)
{
    struct timeval tv = {.tv_sec = ns / 1000000000, .tv_usec = (ns % 1000000000 + 999) / 1000};
    if (set) {
        FD_ZERO(set);
        FD_SET(wait_pipe[0], set);
    }
    return or_errno(
        select(set ? wait_pipe[0] + 1 : 0, set, NULL, NULL, ns == FOREVER ? NULL : &tv));
}

static inline int do_select(int64_t ns)
{
    fd_set set;
    return select_of(ns, &set);
}

static inline int do_select_mapped(int64_t ns)
{
    return select_of(ns, &wait_mapped->set);
}

static inline int do_select_none(int64_t ns)
{
    return select_of(ns, NULL);
}

static inline int pselect_of(int64_t ns, bool with_pipe, const sigset_t *mask)
{
    struct timespec ts = spec_of(ns);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(wait_pipe[0], &set);
    return or_errno(pselect(with_pipe ? wait_pipe[0] + 1 : 0, with_pipe ? &set : NULL, NULL, NULL,
                            ns == FOREVER ? NULL : &ts, mask));
}

static inline sigset_t usr1_only(void)
{
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    return mask;
}

static inline int do_pselect(int64_t ns)
{
    return pselect_of(ns, true, NULL);
}

static inline int do_pselect_none(int64_t ns)
{
    return pselect_of(ns, false, NULL);
}

static inline int do_pselect_mask(int64_t ns)
{
    sigset_t mask = usr1_only();
    return pselect_of(ns, true, &mask);
}

static inline int do_poll(int64_t ns)
{
    struct pollfd fd = {.fd = wait_pipe[0], .events = POLLIN};
    return or_errno(poll(&fd, 1, ms_of(ns)));
}

static inline int do_poll_none(int64_t ns)
{
    return or_errno(poll(NULL, 0, ms_of(ns)));
}

static inline int ppoll_of(int64_t ns, nfds_t count, const sigset_t *mask)
{
    struct timespec ts = spec_of(ns);
    struct pollfd fd = {.fd = wait_pipe[0], .events = POLLIN};
    return or_errno(ppoll(&fd, count, ns == FOREVER ? NULL : &ts, mask));
}

static inline int do_ppoll(int64_t ns)
{
    return ppoll_of(ns, 1, NULL);
}

static inline int do_ppoll_none(int64_t ns)
{
    return ppoll_of(ns, 0, NULL);
}

static inline int do_ppoll_mask(int64_t ns)
{
    sigset_t mask = usr1_only();
    return ppoll_of(ns, 1, &mask);
}

static inline int do_epoll_wait(int64_t ns)
{
    struct epoll_event event;
    return or_errno(epoll_wait(wait_epoll, &event, 1, ms_of(ns)));
}

static inline int do_epoll_pwait(int64_t ns)
{
    struct epoll_event event;
    sigset_t mask = usr1_only();
    return or_errno(epoll_pwait(wait_epoll, &event, 1, ms_of(ns), &mask));
}

static inline int do_epoll_pwait2(int64_t ns)
{
    struct epoll_event event;
    struct timespec ts = spec_of(ns);
    return or_errno(epoll_pwait2(wait_epoll, &event, 1, ns == FOREVER ? NULL : &ts, NULL));
}

/* `call` is the one system call that glibc makes for it on x86-64. */
static const struct each_wait {
    const char *name;
    int (*run)(int64_t ns); /* the result, or minus the error number */
    int call;
} each_wait[] = {
    {"nanosleep", do_nanosleep, SYS_clock_nanosleep},
    {"nanosleep_mapped", do_nanosleep_mapped, SYS_clock_nanosleep},
    {"clock_nanosleep", do_clock_nanosleep, SYS_clock_nanosleep},
    {"abstime", do_abstime, SYS_clock_nanosleep},
    {"abstime_real", do_abstime_real, SYS_clock_nanosleep},
    {"usleep", do_usleep, SYS_clock_nanosleep},
    {"thrd_sleep", do_thrd_sleep, SYS_clock_nanosleep},
    {"select", do_select, SYS_pselect6},
    {"select_mapped", do_select_mapped, SYS_pselect6},
    {"select_none", do_select_none, SYS_pselect6},
    {"pselect", do_pselect, SYS_pselect6},
    {"pselect_none", do_pselect_none, SYS_pselect6},
    {"pselect_mask", do_pselect_mask, SYS_pselect6},
    {"poll", do_poll, SYS_poll},
    {"poll_none", do_poll_none, SYS_poll},
    {"ppoll", do_ppoll, SYS_ppoll},
    {"ppoll_none", do_ppoll_none, SYS_ppoll},
    {"ppoll_mask", do_ppoll_mask, SYS_ppoll},
    {"epoll_wait", do_epoll_wait, SYS_epoll_wait},
    {"epoll_pwait", do_epoll_pwait, SYS_epoll_pwait},
    {"epoll_pwait2", do_epoll_pwait2, SYS_epoll_pwait2},
    /* In whole seconds, so only run when asked for by name. */
    {"sleep", do_sleep, SYS_clock_nanosleep},
};

#define EACH_WAITS ((int)(sizeof(each_wait) / sizeof(*each_wait)))

static inline const struct each_wait *each_wait_named(const char *name)
{
    for (int i = 0; i < EACH_WAITS; i++) {
        if (strcmp(each_wait[i].name, name) == 0) {
            return &each_wait[i];
        }
    }
    return NULL;
}

/* Whether a program's argument list, empty for all but sleep, picks this wait. */
static inline bool each_wait_picked(const struct each_wait *wait, char **names)
{
    if (!*names) {
        return wait->run != do_sleep;
    }
    for (; *names; names++) {
        if (strcmp(wait->name, *names) == 0) {
            return true;
        }
    }
    return false;
}

/* Runs it and says what can be told without naming a time: "0", "EPERM", "early", ... */
static inline const char *each_wait_outcome(const struct each_wait *wait, int64_t ns)
{
    errno = E2BIG;
    int64_t start = now_on(CLOCK_MONOTONIC);
    int result = wait->run(ns);
    int error = errno;
    int64_t spent = now_on(CLOCK_MONOTONIC) - start;
    if (result < 0) {
        return strerrorname_np(-result);
    }
    if (error != E2BIG) {
        return "errno touched";
    }
    if (result == 0) {
        return spent < ns ? "early" : "0";
    }
    return result == 1 ? "1" : "more than 1";
}

#endif
