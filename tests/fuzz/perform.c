/* Carries out the ops: what is planned around a wait, the wait, and the trace of both. */
#include "event.h"
#include "trace.h"
#include "wait.h"
#include "world.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const timeout_names[TIMEOUTS] = {"null", "zero",     "short",   "long",
                                             "huge", "negative", "denormal"};

static void describe(const struct program *p, int number)
{
    static const char *const pointers[PTRS] = {"good",         "null",        "nowhere",
                                               "readonly",     "bad-timeout", "alias",
                                               "rem-readonly", "rem-nowhere", "rem-null"};
    static const char *const actions[ACTS] = {"", "write", "close-peer", "close-self", "drain"};
    static const char *const masks[MASKS] = {"null", "open", "closed", "bad"};
    static const char *const cancels[] = {"", " cancel-before", " cancel-during"};
    static const char *const races[] = {"", " race-write", " race-signal"};
    const struct op *op = &p->op[number];
    say("%d %s %s %ld ns", number, call_names[op->call], timeout_names[op->timeout], op->ns);
    for (int i = 0; i < op->items; i++) {
        const struct item *item = &op->item[i];
        say(" %s/%d:%x", kind_names[p->kind[item->desc]], item->desc,
            is_poll(op->call)     ? (unsigned)item->events
            : is_select(op->call) ? item->sets
                                  : item->epoll);
    }
    if (is_select(op->call)) {
        say(" nfds+%d", op->nfds_add);
    } else if (is_epoll(op->call)) {
        say(" max %d", op->maxevents);
    } else if (op->call == CALL_CLOCK_NANOSLEEP) {
        say(" clock %d flags %d", op->clock, op->flags);
    }
    if (op->role) {
        say(" signal %s%s%s", role_names[op->role], op->pending ? " pending" : " timed",
            op->blocked ? " blocked" : "");
    }
    if (op->action) {
        say(" %s %d", actions[op->action], op->target);
    }
    say(" mask %s ptr %s place %d%s%s\n", masks[op->mask], pointers[op->pointer], op->place,
        cancels[op->cancel], races[op->race]);
}

static int make_epoll_for(const struct op *op)
{
    int epfd = epoll_create1(0);
    for (int i = 0; i < op->items; i++) {
        struct epoll_event event = {.events = op->item[i].epoll, .data.u32 = (unsigned)i};
        epoll_ctl(epfd, EPOLL_CTL_ADD, world[op->item[i].desc].fd, &event);
    }
    return epfd;
}

/* A look at the race's descriptor that isn't the library's. */
static bool readable(const struct op *op)
{
    struct pollfd fd = {world[op->item[0].desc].fd, POLLIN, 0};
    struct timespec zero = {0, 0};
    return syscall(SYS_ppoll, &fd, 1, &zero, NULL, 8) > 0;
}

/*
 * The event came about when the deadline did. Both results are legal; what isn't: ready before it
 * was written, a timeout though it had been written well before the deadline, a signal lost or
 * handled twice, a masked wait that let a signal through and went on.
 */
static void report_race(const struct wait *w, bool ready_before)
{
    const char *verdict = "fine";
    int64_t deadline = w->before + w->op->ns; /* or a little later */
    if (wait_early(w)) {
        verdict = "EARLY";
    } else if (w->op->race == RACE_SIGNAL) {
        bool inside = handled.count && handled.when < w->after;
        if (handled.count != 1) {
            verdict = "signal lost";
        } else if (w->result && !inside) {
            verdict = "interrupted by nothing";
        } else if (!w->result && w->op->blocked && inside && handled.when + 300 * US < deadline) {
            verdict = "interruption lost";
        }
    } else if (!ready_before && w->result > 0 && acted_from > w->after) {
        verdict = "ready before it was written";
    } else if (!ready_before && w->result == 0 && readable(w->op) &&
               acted_to + 50 * US < deadline) {
        verdict = "ready, and not seen";
    }
    say("  race %s\n", verdict);
    if (strcmp(verdict, "fine") != 0) {
        say("  %ld %s, %ld ns, event %ld ns before the deadline\n", w->result, error_name(w->error),
            (long)(w->after - w->before),
            (long)(deadline - (w->op->race == RACE_SIGNAL ? handled.when : acted_to)));
    }
}

static void block(const struct op *op, int how)
{
    sigset_t set;
    if (op->blocked) {
        sigemptyset(&set);
        sigaddset(&set, role_signal(op->role));
        sigprocmask(how, &set, NULL);
    }
}

static void perform_wait(const struct op *op, int epfd)
{
    struct wait w;
    bool ready = op->race == RACE_WRITE && readable(op);
    wait_prepare(&w, op, epfd);
    block(op, SIG_BLOCK);
    if (op->pending) {
        raise(role_signal(op->role));
    }
    int64_t start = now();
    events_arm(op, start);
    if (op->role == ROLE_JUMP && sigsetjmp(*(sigjmp_buf *)&handled.back, 1)) {
        w.result = -78;
        w.after = now();
    } else {
        handled.may_jump = op->role == ROLE_JUMP;
        wait_call(&w);
    }
    handled.may_jump = false;
    if (op->race) {
        block(op, SIG_UNBLOCK); /* a timer that is deleted takes its pending signal along */
        events_settle(op);
        report_race(&w, ready);
    } else {
        events_settle(op);
        if (w.result == -78) {
            say("  jumped\n");
        } else {
            wait_report(&w, w.error == EINTR || w.result > 0 ? handled.when : 0);
        }
        if ((op->action || (op->role && !op->pending) || op->role == ROLE_STOP) &&
            !events_clean(op, start, w.before, w.after,
                          w.result == -78 || w.result == EINTR || w.error == EINTR ||
                              op->call == CALL_SLEEP || op->call == CALL_THRD_SLEEP)) {
            trace->noisy = 1;
        }
        handled.count = 0;
        block(op, SIG_UNBLOCK);
    }
    wait_release(&w);
}

static void cleaned(void *unused)
{
    (void)unused;
    say("  cleaned up\n");
}

static void *cancelled_wait(void *wait)
{
    struct wait *w = wait;
    pthread_cleanup_push(cleaned, NULL);
    if (w->op->cancel == CANCEL_BEFORE) {
        pthread_cancel(pthread_self());
    }
    wait_call(w);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_pop(0);
    return NULL;
}

static void perform_cancelled(const struct op *op, int epfd)
{
    struct wait *w = calloc(1, sizeof(*w));
    pthread_t thread;
    void *status;
    int64_t start = now();
    wait_prepare(w, op, epfd);
    pthread_create(&thread, NULL, cancelled_wait, w);
    if (op->cancel == CANCEL_DURING) {
        sleep_until(start + op->event);
        pthread_cancel(thread);
    }
    int64_t asked = now();
    pthread_join(thread, &status);
    if (status == PTHREAD_CANCELED) {
        say("  cancelled\n");
        /* The wait may have been about to end by itself, or the thread not yet have begun it. */
        trace->noisy |= op->cancel == CANCEL_DURING &&
                        (w->before - start > GUARD || asked - start > op->event + GUARD ||
                         now() > start + op->ns - GUARD);
    } else {
        wait_report(w, 0);
        trace->noisy |= op->cancel == CANCEL_DURING && w->after - start > GUARD;
    }
    wait_release(w);
    free(w);
}

static void perform_op(const struct program *p, int number)
{
    const struct op *op = &p->op[number];
    describe(p, number);
    int epfd = is_epoll(op->call) ? make_epoll_for(op) : -1;
    for (int i = 0; i < op->repeat; i++) {
        if (op->cancel) {
            perform_cancelled(op, epfd);
        } else {
            perform_wait(op, epfd);
        }
    }
    if (epfd >= 0) {
        close(epfd);
    }
}

void perform(const struct program *p, int from, int to)
{
    for (int i = from; i < to; i++) {
        int end = i + p->op[i].fork < to ? i + p->op[i].fork : to;
        if (end == i) {
            perform_op(p, i);
            continue;
        }
        pid_t child = fork();
        if (child == 0) {
            say("in a child:\n");
            for (; i < end; i++) {
                perform_op(p, i);
            }
            _exit(0);
        }
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        say("child's status %x\n", (unsigned)status);
        i = end - 1;
    }
}
