/*
 * One wait of any kind, so that one program tries a behaviour on every call. Results have one form
 * for all kinds: 0 = time is up, above 0 = descriptors are ready, -1 = errno says why.
 */
#ifndef TESTS_WAITS_H
#define TESTS_WAITS_H

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define US      INT64_C(1000)
#define MS      INT64_C(1000000)
#define SEC     INT64_C(1000000000)
#define FOREVER INT64_MAX

#ifndef sigev_notify_thread_id /* glibc has the field but not its name */
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* The last time that this width of time can name. */
#define TIME_MAX ((time_t)(sizeof(time_t) == 8 ? INT64_MAX : INT32_MAX))

enum kind {
    POLL,
    PPOLL,
    SELECT,
    PSELECT,
    EPOLL_WAIT,
    EPOLL_PWAIT,
    EPOLL_PWAIT2,
    NANOSLEEP,
    CLOCK_NANOSLEEP,
    ABSOLUTE,      /* clock_nanosleep, TIMER_ABSTIME */
    ABSOLUTE_REAL, /* the same on CLOCK_REALTIME */
    USLEEP,
    SLEEP,
    THRD_SLEEP,
    KINDS
};

static const struct kind_facts {
    const char *name;
    int64_t unit; /* ns: the call can't be asked for less, or for fractions of it */
    bool fds;
    bool mask;
} kinds[KINDS] = {
    [POLL] = {"poll", MS, true, false},
    [PPOLL] = {"ppoll", 1, true, true},
    [SELECT] = {"select", US, true, false},
    [PSELECT] = {"pselect", 1, true, true},
    [EPOLL_WAIT] = {"epoll_wait", MS, true, false},
    [EPOLL_PWAIT] = {"epoll_pwait", MS, true, true},
    [EPOLL_PWAIT2] = {"epoll_pwait2", 1, true, true},
    [NANOSLEEP] = {"nanosleep", 1, false, false},
    [CLOCK_NANOSLEEP] = {"clock_nanosleep", 1, false, false},
    [ABSOLUTE] = {"absolute", 1, false, false},
    [ABSOLUTE_REAL] = {"absolute_real", 1, false, false},
    [USLEEP] = {"usleep", US, false, false},
    [SLEEP] = {"sleep", SEC, false, false},
    [THRD_SLEEP] = {"thrd_sleep", 1, false, false},
};

struct waiter {
    enum kind kind;
    int fd;    /* waited for to become readable; -1: none */
    int epoll; /* holds fd, for the epoll calls */
    const sigset_t *mask;
    int64_t deadline; /* of the last wait, for the absolute kinds */
};

/* A test that hangs is killed, so that what it hangs in is seen; none needs a tenth of this. */
static __attribute__((constructor)) void limit_run_time(void)
{
    alarm(30);
}

static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return ts.tv_sec * SEC + ts.tv_nsec;
}

static inline int64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

static inline clockid_t kind_clock(enum kind kind)
{
    return kind == ABSOLUTE_REAL ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

/* What the call is really asked for: ns, rounded up to its unit. */
static inline int64_t asked_ns(enum kind kind, int64_t ns)
{
    int64_t unit = kinds[kind].unit;
    return ns == FOREVER ? FOREVER : (ns + unit - 1) / unit * unit;
}

static inline struct waiter waiter_open(enum kind kind, int fd)
{
    struct waiter w = {.kind = kind, .fd = fd, .epoll = -1};
    if (kind == EPOLL_WAIT || kind == EPOLL_PWAIT || kind == EPOLL_PWAIT2) {
        struct epoll_event event = {.events = EPOLLIN};
        w.epoll = epoll_create1(EPOLL_CLOEXEC);
        if (fd >= 0 && epoll_ctl(w.epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
            abort();
        }
    }
    return w;
}

static inline void waiter_close(struct waiter *w)
{
    if (w->epoll >= 0) {
        close(w->epoll);
    }
}

static inline int wait_fds(const struct waiter *w, const struct timespec *ts, int ms)
{
    struct pollfd pollfd = {.fd = w->fd, .events = POLLIN};
    struct epoll_event event;
    struct timeval tv = {0};
    fd_set set;
    FD_ZERO(&set);
    if (w->fd >= 0) {
        FD_SET(w->fd, &set);
    }
    if (ts) {
        tv = (struct timeval){ts->tv_sec, ts->tv_nsec / US};
    }
    switch (w->kind) {
    case POLL:
        return poll(&pollfd, w->fd >= 0, ms);
    case PPOLL:
        return ppoll(&pollfd, w->fd >= 0, ts, w->mask);
    case SELECT:
        return select(w->fd + 1, &set, NULL, NULL, ts ? &tv : NULL);
    case PSELECT:
        return pselect(w->fd + 1, &set, NULL, NULL, ts, w->mask);
    case EPOLL_WAIT:
        return epoll_wait(w->epoll, &event, 1, ms);
    case EPOLL_PWAIT:
        return epoll_pwait(w->epoll, &event, 1, ms, w->mask);
    default:
        return epoll_pwait2(w->epoll, &event, 1, ts, w->mask);
    }
}

static inline int from_error_number(int error)
{
    if (error) {
        errno = error;
    }
    return error ? -1 : 0;
}

static inline int wait_sleep(struct waiter *w, const struct timespec *ts)
{
    clockid_t clock = kind_clock(w->kind);
    struct timespec until;
    switch (w->kind) {
    case NANOSLEEP:
        return nanosleep(ts, NULL);
    case CLOCK_NANOSLEEP:
        return from_error_number(clock_nanosleep(CLOCK_MONOTONIC, 0, ts, NULL));
    case ABSOLUTE:
    case ABSOLUTE_REAL:
        w->deadline = (int64_t)ts->tv_sec >= INT_MAX
                          ? FOREVER
                          : clock_ns(clock) + ts->tv_sec * SEC + ts->tv_nsec;
        until = w->deadline == FOREVER ? (struct timespec){TIME_MAX, 0}
                                       : (struct timespec){w->deadline / SEC, w->deadline % SEC};
        return from_error_number(clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL));
    case USLEEP:
        return usleep(ts->tv_sec > 4000 ? UINT_MAX
                                        : (useconds_t)(ts->tv_sec * 1000000 + ts->tv_nsec / US));
    case SLEEP:
        return from_error_number(
            sleep((int64_t)ts->tv_sec > UINT_MAX ? UINT_MAX : (unsigned)ts->tv_sec) ? EINTR : 0);
    default:
        switch (thrd_sleep(ts, NULL)) {
        case 0:
            return 0;
        case -1:
            return from_error_number(EINTR);
        default:
            return from_error_number(EINVAL);
        }
    }
}

/* Waits for `ns`, rounded up to what the call can be asked for. */
static inline int wait_for(struct waiter *w, int64_t ns)
{
    int64_t asked = asked_ns(w->kind, ns);
    struct timespec ts = {asked / SEC, asked % SEC};
    if (ns == FOREVER) {
        ts = (struct timespec){TIME_MAX, SEC - 1};
    }
    if (kinds[w->kind].fds) {
        return wait_fds(w, ns == FOREVER ? NULL : &ts, ns == FOREVER ? -1 : (int)(asked / MS));
    }
    return wait_sleep(w, &ts);
}

/* "0", "1" or the error's name. */
static inline const char *outcome(int result)
{
    static __thread char number[16];
    if (result == -1) {
        return strerrorname_np(errno);
    }
    snprintf(number, sizeof(number), "%d", result);
    return number;
}

/* A descriptor on which nothing ever happens: the read end of a pipe kept open. */
static inline int idle_fd(void)
{
    int fds[2];
    if (pipe(fds) != 0) {
        abort();
    }
    return fds[0];
}

static inline int ready_fd(void)
{
    int fds[2];
    if (pipe(fds) != 0 || write(fds[1], "x", 1) != 1) {
        abort();
    }
    return fds[0];
}

static inline void handle(int signo, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    sigaction(signo, &action, NULL);
}

/* A signal to the calling thread alone, after `first` ns and then every `interval` ns (0: once). */
static inline timer_t signal_me(int signo, int64_t first, int64_t interval)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = signo};
    struct itimerspec when = {{interval / SEC, interval % SEC}, {first / SEC, first % SEC}};
    timer_t timer;
    event.sigev_notify_thread_id = gettid();
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 ||
        timer_settime(timer, 0, &when, NULL) != 0) {
        abort();
    }
    return timer;
}

struct kind_job {
    struct waiter waiter;
    void (*run)(struct waiter *w, FILE *out);
    pthread_t thread;
    char *text;
    size_t length;
};

static inline void *run_kind_job(void *arg)
{
    struct kind_job *job = arg;
    FILE *out = open_memstream(&job->text, &job->length);
    job->run(&job->waiter, out);
    fclose(out);
    return NULL;
}

static inline void start_kind(struct kind_job *job, enum kind kind, int fd,
                              void (*run)(struct waiter *, FILE *))
{
    *job = (struct kind_job){.waiter = waiter_open(kind, fd), .run = run};
    if (pthread_create(&job->thread, NULL, run_kind_job, job) != 0) {
        abort();
    }
}

static inline void finish_kind(struct kind_job *job)
{
    pthread_join(job->thread, NULL);
    printf("%s: %s\n", kinds[job->waiter.kind].name, job->text);
    free(job->text);
    waiter_close(&job->waiter);
    fflush(stdout);
}

/*
 * Runs `run` for every kind that is wanted (NULL: for all), each in a thread of its own and all at
 * the same time, and prints what they wrote in the order of the kinds.
 */
static inline void each_kind(bool (*wanted)(enum kind), int fd,
                             void (*run)(struct waiter *, FILE *))
{
    struct kind_job jobs[KINDS];
    for (int k = 0; k < KINDS; k++) {
        if (!wanted || wanted((enum kind)k)) {
            start_kind(&jobs[k], (enum kind)k, fd, run);
        }
    }
    for (int k = 0; k < KINDS; k++) {
        if (!wanted || wanted((enum kind)k)) {
            finish_kind(&jobs[k]);
        }
    }
}

/* The same, one kind after the other. */
static inline void each_kind_in_turn(bool (*wanted)(enum kind), int fd,
                                     void (*run)(struct waiter *, FILE *))
{
    for (int k = 0; k < KINDS; k++) {
        if (!wanted || wanted((enum kind)k)) {
            struct kind_job job;
            start_kind(&job, (enum kind)k, fd, run);
            finish_kind(&job);
        }
    }
}

static inline bool has_fds(enum kind kind)
{
    return kinds[kind].fds;
}

static inline bool has_mask(enum kind kind)
{
    return kinds[kind].mask;
}

#endif
