#include "event.h"
#include "trace.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile struct handled handled;
int64_t acted_from, acted_to;

const char *const role_names[ROLES] = {"none",    "handler", "restart", "ignored",
                                       "default", "nested",  "jump",    "stop"};

int role_signal(enum role role)
{
    static const int numbers[ROLES] = {0, SIGUSR1, SIGUSR2, SIGHUP, SIGWINCH};
    return role == ROLE_NESTED ? SIGRTMIN + 1 : role == ROLE_JUMP ? SIGRTMIN + 2 : numbers[role];
}

int inner_wait(enum call call)
{
    struct timespec ts = {0, 200 * US};
    struct timeval tv = {0, 200};
    struct epoll_event event;
    atomic_fetch_add(&trace->waits, 1);
    if (is_sleep(call)) {
        return call == CALL_CLOCK_NANOSLEEP ? clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL)
               : call == CALL_USLEEP        ? usleep(200)
                                            : nanosleep(&ts, NULL);
    } else if (is_epoll(call)) {
        return epoll_wait(-1, &event, 1, 1);
    } else if (call == CALL_PSELECT) {
        return pselect(0, NULL, NULL, NULL, &ts, NULL);
    } else if (is_select(call)) {
        return select(0, NULL, NULL, NULL, &tv);
    } else if (call == CALL_PPOLL || call == CALL_PPOLL_CHK) {
        return ppoll(NULL, 0, &ts, NULL);
    }
    return poll(NULL, 0, 1);
}

static void handler(int number)
{
    int saved = errno;
    handled.count++;
    handled.when = now();
    if (!handled.silent) {
        const char *name = number == SIGUSR1        ? "handler"
                           : number == SIGUSR2      ? "restart"
                           : number == SIGRTMIN + 1 ? "nested"
                                                    : "jump";
        say("  %s ran\n", name);
    }
    if (number == SIGRTMIN + 1) {
        errno = 0;
        int result = inner_wait(handled.inner);
        say("  inner %s %d %s\n", call_names[handled.inner], result, error_name(errno));
    }
    errno = saved;
    if (number == SIGRTMIN + 2 && handled.may_jump) {
        siglongjmp(*(sigjmp_buf *)&handled.back, 1);
    }
}

void signals_set_up(void)
{
    struct sigaction sa = {.sa_handler = handler};
    sigaction(SIGUSR1, &sa, NULL);
    sigaction(SIGRTMIN + 1, &sa, NULL);
    sigaction(SIGRTMIN + 2, &sa, NULL);
    sa.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &sa, NULL);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static struct {
    const struct op *op;
    int64_t at; /* when the other thread acts */
    pthread_t thread;
    timer_t timer;
    bool has_thread, has_timer;
    pid_t stopper;
} armed;

static void *act(void *unused)
{
    sleep_until(armed.at);
    acted_from = now();
    world_act(armed.op->action, armed.op->item[armed.op->target].desc);
    acted_to = now();
    return unused;
}

static void arm_action(const struct op *op, int64_t when)
{
    sigset_t all, old;
    armed.op = op;
    armed.at = when;
    /* Every signal is for the waiting thread. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    armed.has_thread = !pthread_create(&armed.thread, NULL, act, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void arm_signal(const struct op *op, int64_t when)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = role_signal(op->role)};
    struct itimerspec at = {.it_value = {when / S, when % S}};
    event._sigev_un._tid = gettid();
    armed.has_timer = !timer_create(CLOCK_MONOTONIC, &event, &armed.timer) &&
                      !timer_settime(armed.timer, TIMER_ABSTIME, &at, NULL);
}

/* A stop that hadn't taken effect when the continuation came is no stop. */
static bool is_stopped(pid_t pid)
{
    char path[32], text[256] = "";
    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    int fd = open(path, O_RDONLY);
    ssize_t length = read(fd, text, sizeof(text) - 1);
    close(fd);
    return length > 0 && strstr(text, ") T ");
}

static void arm_stop(const struct op *op, int64_t start)
{
    pid_t stopped = getpid();
    armed.stopper = fork();
    if (armed.stopper == 0) {
        sleep_until(start + op->event);
        kill(stopped, SIGSTOP);
        trace->stopped = now();
        sleep_until(start + op->event + STOPPED);
        if (!is_stopped(stopped)) {
            trace->noisy = 1;
        }
        kill(stopped, SIGCONT);
        trace->continued = now();
        _exit(0);
    }
}

static int64_t signal_time(const struct op *op)
{
    return op->race == RACE_SIGNAL ? op->ns + op->spread : op->event + (op->action ? SECOND : 0);
}

void events_arm(const struct op *op, int64_t start)
{
    armed.has_thread = armed.has_timer = false;
    armed.stopper = 0;
    acted_from = acted_to = 0;
    handled.count = 0;
    handled.when = 0;
    handled.silent = op->race != RACE_NO;
    handled.inner = op->inner;
    if (op->race == RACE_WRITE) {
        arm_action(op, start + op->ns + op->spread);
    } else if (op->action) {
        arm_action(op, start + op->event);
    }
    if (op->role == ROLE_STOP) {
        arm_stop(op, start);
    } else if (op->role && !op->pending) {
        arm_signal(op, start + signal_time(op));
    }
}

void events_settle(const struct op *op)
{
    if (armed.has_timer) {
        struct itimerspec left;
        /* A race's signal must come, now or later: it is counted. */
        while (op->race && !timer_gettime(armed.timer, &left) && left.it_value.tv_nsec) {
            sleep_until(now() + left.it_value.tv_nsec);
        }
        timer_delete(armed.timer);
    }
    if (armed.has_thread) {
        pthread_join(armed.thread, NULL);
    }
    if (armed.stopper) {
        waitpid(armed.stopper, NULL, 0);
    }
}

static bool within(int64_t time, int64_t from)
{
    return time >= from && time <= from + GUARD;
}

bool events_clean(const struct op *op, int64_t start, int64_t before, int64_t after,
                  bool interrupted)
{
    bool timed = op->role && op->role != ROLE_STOP && !op->pending;
    int64_t end = after - start;
    if (before - start > GUARD) {
        return false;
    }
    /* The signal was to come after the timeout, or it came while the wait was ending otherwise. */
    if (timed && handled.count && !interrupted && !op->action) {
        return false;
    }
    bool at_once = op->timeout == TIMEOUT_ZERO || (op->ns && op->ns < signal_time(op));
    if (timed && handled.count && at_once) {
        return false;
    }
    if (op->role == ROLE_STOP) {
        return within(trace->stopped - start, op->event) &&
               within(trace->continued - start, op->event + STOPPED) &&
               (within(end, 0) || within(end, op->event + STOPPED) || within(end, op->ns) ||
                within(end, op->ns + STOPPED));
    }
    if (op->action && !within(acted_from - start, op->event)) {
        return false;
    }
    if (op->role == ROLE_NESTED && end > op->event && handled.count) {
        end = handled.when - start; /* the inner wait takes its own time */
    }
    return within(end, 0) || (op->action && within(end, op->event)) ||
           (timed && within(end, signal_time(op))) || (op->ns && within(end, op->ns));
}
