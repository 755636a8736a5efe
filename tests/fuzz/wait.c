/* Arguments and the call. */
#include "wait.h"
#include "event.h"
#include "trace.h"
#include "world.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

/* Names that the headers don't declare for everybody, or only when fortifying. */
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t);
int __poll(struct pollfd *, nfds_t, int);
int __select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int __nanosleep(const struct timespec *, struct timespec *);

const char *const call_names[CALLS] = {
    "poll",        "__poll_chk",      "__poll",     "ppoll",       "__ppoll_chk",  "select",
    "__select",    "pselect",         "epoll_wait", "epoll_pwait", "epoll_pwait2", "nanosleep",
    "__nanosleep", "clock_nanosleep", "usleep",     "sleep",       "thrd_sleep"};

static int odd(const struct op *op)
{
    return (int)(op->event / US) % 2;
}

static int whole_ms(const struct op *op)
{
    switch (op->timeout) {
    case TIMEOUT_NULL:
        return -1;
    case TIMEOUT_HUGE:
        return INT_MAX;
    case TIMEOUT_NEGATIVE:
        return odd(op) ? INT_MIN : -2;
    case TIMEOUT_DENORMAL:
        return INT_MAX - 1;
    default:
        return (int)(op->ns / MS);
    }
}

static struct timespec timespec_for(const struct op *op)
{
    switch (op->timeout) {
    case TIMEOUT_HUGE:
        return odd(op) ? (struct timespec){LONG_MAX, 999999999} : (struct timespec){100000001, 0};
    case TIMEOUT_NEGATIVE:
        return odd(op) ? (struct timespec){-1, 0} : (struct timespec){LONG_MIN, 0};
    case TIMEOUT_DENORMAL:
        return odd(op) ? (struct timespec){0, S} : (struct timespec){0, -1};
    default:
        return (struct timespec){op->ns / S, op->ns % S};
    }
}

static struct timeval timeval_for(const struct op *op)
{
    switch (op->timeout) {
    case TIMEOUT_HUGE:
        return odd(op) ? (struct timeval){LONG_MAX, 999999} : (struct timeval){100000001, 0};
    case TIMEOUT_NEGATIVE:
        return odd(op) ? (struct timeval){-1, 0} : (struct timeval){0, -1};
    case TIMEOUT_DENORMAL:
        return odd(op) ? (struct timeval){0, 1500000} : (struct timeval){0, INT_MAX};
    default:
        return (struct timeval){op->ns / S, op->ns % S / US};
    }
}

/* An absolute time on the op's clock; the past for a zero timeout. */
static void make_absolute(struct wait *w)
{
    struct timespec t;
    if (w->op->timeout != TIMEOUT_SHORT && w->op->timeout != TIMEOUT_LONG &&
        w->op->timeout != TIMEOUT_ZERO) {
        return;
    }
    if (clock_gettime(w->op->clock, &t)) {
        clock_gettime(CLOCK_MONOTONIC, &t);
    }
    if (w->op->timeout == TIMEOUT_ZERO) {
        t.tv_sec--;
    }
    t.tv_nsec += w->ts.tv_nsec;
    w->ts.tv_sec += t.tv_sec + t.tv_nsec / S;
    w->ts.tv_nsec = t.tv_nsec % S;
}

static void prepare_timeout(struct wait *w)
{
    const struct op *op = w->op;
    w->ms = whole_ms(op);
    w->ts = timespec_for(op);
    w->tv = w->tv_before = timeval_for(op);
    w->micros = op->timeout == TIMEOUT_DENORMAL ? 2500000U
                : op->timeout > TIMEOUT_LONG || op->timeout == TIMEOUT_NULL
                    ? UINT_MAX - 4U * (unsigned)odd(op)
                    : (unsigned)(op->ns / US);
    w->seconds = op->timeout > TIMEOUT_LONG || op->timeout == TIMEOUT_NULL ? UINT_MAX
                                                                           : (unsigned)(op->ns / S);
    if (op->call == CALL_CLOCK_NANOSLEEP && (op->flags & TIMER_ABSTIME)) {
        make_absolute(w);
    }
    w->rem = (struct timespec){-123, -456};
    w->ts_given = op->timeout == TIMEOUT_NULL ? NULL : &w->ts;
    w->tv_given = op->timeout == TIMEOUT_NULL ? NULL : &w->tv;
    w->rem_given = &w->rem;
    switch (op->pointer) {
    case PTR_TIMEOUT:
        w->ts_given = nowhere();
        break;
    case PTR_REM_ALIAS:
        w->rem_given = &w->ts;
        break;
    case PTR_REM_READONLY:
        w->rem_given = read_only(&w->rem, sizeof(w->rem));
        break;
    case PTR_REM_NOWHERE:
        w->rem_given = nowhere();
        break;
    case PTR_REM_NULL:
        w->rem_given = NULL;
        break;
    default:
        break;
    }
}

/* As the thread's own, but for the op's signal: what signalfds have blocked stays blocked. */
static void prepare_mask(struct wait *w)
{
    const struct op *op = w->op;
    int number = op->role && op->role != ROLE_STOP ? role_signal(op->role) : SIGUSR1;
    w->mask_given = op->mask == MASK_NULL ? NULL : &w->mask;
    sigprocmask(SIG_BLOCK, NULL, &w->mask);
    if (op->mask == MASK_CLOSED) {
        sigaddset(&w->mask, number);
    } else if (op->mask == MASK_OPEN) {
        sigdelset(&w->mask, number);
    } else if (op->mask == MASK_BAD) {
        w->mask_given = nowhere();
    }
}

static void *bent(const struct wait *w, void *object, size_t size)
{
    switch (w->op->pointer) {
    case PTR_NULL:
        return NULL;
    case PTR_NOWHERE:
        return nowhere();
    case PTR_READONLY:
        return read_only(object, size);
    default:
        return object;
    }
}

static void prepare_poll(struct wait *w)
{
    size_t size = sizeof(struct pollfd) * (size_t)w->op->items;
    w->nfds = w->op->items;
    w->fds = slot(&w->slots, 0, size);
    for (int i = 0; i < w->nfds; i++) {
        const struct item *item = &w->op->item[i];
        w->fds[i] = (struct pollfd){world[item->desc].fd, item->events, 0x5a5a};
    }
    w->fds_given = bent(w, w->fds, size);
    if (w->op->pointer == PTR_READONLY) {
        w->fds = w->fds_given;
    }
}

static void prepare_select(struct wait *w)
{
    const struct op *op = w->op;
    int top = -1;
    for (int i = 0; i < op->items; i++) {
        int fd = world[op->item[i].desc].fd;
        top = fd > top ? fd : top;
    }
    w->nfds = op->nfds_add == INT_MIN ? -5 : top + 1 + op->nfds_add;
    w->nfds = w->nfds < 0 && op->nfds_add != INT_MIN ? 0 : w->nfds;
    size_t size = (size_t)(w->nfds > top ? w->nfds + 63 : top + 64) / 64 * 8;
    int bad = (int)(op->ns % 3);
    for (int s = 0; s < 3; s++) {
        bool used = false;
        w->sets[s] = slot(&w->slots, s, size);
        memset(w->sets[s], 0, size);
        for (int i = 0; i < op->items; i++) {
            int fd = world[op->item[i].desc].fd;
            if (fd >= 0 && op->item[i].sets >> s & 1) {
                w->sets[s][fd / 8] |= (unsigned char)(1 << fd % 8);
                used = true;
            }
        }
        w->sets_given[s] = used || s == bad ? w->sets[s] : NULL;
        if (s == bad) {
            w->sets_given[s] = bent(w, w->sets[s], size);
            w->sets[s] = op->pointer == PTR_READONLY ? w->sets_given[s] : w->sets[s];
        }
    }
}

static void prepare_epoll(struct wait *w)
{
    size_t size = sizeof(struct epoll_event) * MAX_ITEMS;
    w->events = slot(&w->slots, 0, size);
    memset(w->events, 0x5a, size);
    w->events_given = bent(w, w->events, size);
}

void wait_prepare(struct wait *w, const struct op *op, int epfd)
{
    w->op = op;
    w->epfd = epfd;
    w->result = -77;
    w->error = 0;
    slots_open(&w->slots, op->place);
    prepare_timeout(w);
    prepare_mask(w);
    if (is_poll(op->call)) {
        prepare_poll(w);
    } else if (is_select(op->call)) {
        prepare_select(w);
    } else if (is_epoll(op->call)) {
        prepare_epoll(w);
    }
}

void wait_release(struct wait *w)
{
    writable_again();
    slots_close(&w->slots);
}

static long call_it(struct wait *w)
{
    nfds_t n = (nfds_t)w->nfds;
    size_t size = n * sizeof(struct pollfd);
    switch (w->op->call) {
    case CALL_POLL:
        return poll(w->fds_given, n, w->ms);
    case CALL_POLL_CHK:
        return __poll_chk(w->fds_given, n, w->ms, size);
    case CALL_POLL_ALIAS:
        return __poll(w->fds_given, n, w->ms);
    case CALL_PPOLL:
        return ppoll(w->fds_given, n, w->ts_given, w->mask_given);
    case CALL_PPOLL_CHK:
        return __ppoll_chk(w->fds_given, n, w->ts_given, w->mask_given, size);
    case CALL_SELECT:
        return select(w->nfds, w->sets_given[0], w->sets_given[1], w->sets_given[2], w->tv_given);
    case CALL_SELECT_ALIAS:
        return __select(w->nfds, w->sets_given[0], w->sets_given[1], w->sets_given[2], w->tv_given);
    case CALL_PSELECT:
        return pselect(w->nfds, w->sets_given[0], w->sets_given[1], w->sets_given[2], w->ts_given,
                       w->mask_given);
    case CALL_EPOLL_WAIT:
        return epoll_wait(w->epfd, w->events_given, w->op->maxevents, w->ms);
    case CALL_EPOLL_PWAIT:
        return epoll_pwait(w->epfd, w->events_given, w->op->maxevents, w->ms, w->mask_given);
    case CALL_EPOLL_PWAIT2:
        return epoll_pwait2(w->epfd, w->events_given, w->op->maxevents, w->ts_given, w->mask_given);
    case CALL_NANOSLEEP:
        return nanosleep(w->ts_given, w->rem_given);
    case CALL_NANOSLEEP_ALIAS:
        return __nanosleep(w->ts_given, w->rem_given);
    case CALL_CLOCK_NANOSLEEP:
        return clock_nanosleep(w->op->clock, w->op->flags, w->ts_given, w->rem_given);
    case CALL_USLEEP:
        return usleep(w->micros);
    case CALL_SLEEP:
        return sleep(w->seconds);
    default:
        return thrd_sleep(w->ts_given, w->rem_given);
    }
}

void wait_call(struct wait *w)
{
    struct timespec t = {0};
    atomic_fetch_add(&trace->waits, 1);
    errno = ENOLINK; /* none of the calls sets it: must be there still after a success */
    w->before = now();
    w->result = call_it(w);
    w->after = now();
    w->error = errno;
    clock_gettime(w->op->clock, &t);
    w->clock_after = t.tv_sec * S + t.tv_nsec;
}
