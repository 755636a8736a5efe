/*
 * What programs that mishandle EINTR get, natively and with EINTR=resume.
 *
 * resumed wait       each call for 300 ms under a signal every 400 us
 * resumed rearmed    poll for 200 ms, again after each EINTR, under a signal every 20 ms
 * resumed sleep      while (left = sleep(left)) for 2 s under a signal every 500 us
 * resumed loop       while (nanosleep(&ts, &ts)) for 1 s under the same: the ns that it takes
 * resumed usleep     usleep of 200 ms under a profiler's 10 ms timer
 * resumed handler    the deadline passes while the handler runs, and in it the descriptor may have
 *                    become ready
 * resumed stopped    stopped (SIGSTOP) until the deadline has passed, with a handler to run
 */
#include "waits.h"

#include <sys/syscall.h>
#include <sys/wait.h>

static __thread volatile sig_atomic_t handled;
static __thread int write_in_handler;
static volatile bool slow_handler;

static void handler(int signo)
{
    (void)signo;
    int saved = errno;
    handled++;
    if (write_in_handler) {
        (void)!write(write_in_handler, "x", 1);
        write_in_handler = 0;
    }
    if (slow_handler) {
        const struct timespec ts = {0, 60 * MS};
        syscall(SYS_nanosleep, &ts, NULL); /* not the library's business */
    }
    errno = saved;
}

static const char *class_of(int64_t took, int64_t asked)
{
    return took < asked                ? "before its deadline"
           : took < asked * 4 / 3 + MS ? "at its deadline"
                                       : "long after its deadline";
}

static void one_wait(struct waiter *w, FILE *out)
{
    int64_t asked = asked_ns(w->kind, 300 * MS);
    timer_t timer = signal_me(SIGUSR1, 400 * US, 400 * US);
    int64_t start = now_ns();
    int result = wait_for(w, 300 * MS);
    fprintf(out, "%s, %s, handlers ran %s", outcome(result), class_of(now_ns() - start, asked),
            handled > 50 ? "often" : "rarely");
    timer_delete(timer);
}

static void rearmed(void)
{
    struct pollfd pollfd = {.fd = idle_fd(), .events = POLLIN};
    timer_t timer = signal_me(SIGUSR1, 20 * MS, 20 * MS);
    int calls = 0, result;
    int64_t start = now_ns();
    do {
        calls++;
        result = poll(&pollfd, 1, 200);
    } while (result == -1 && errno == EINTR && now_ns() - start < SEC);
    int64_t took = now_ns() - start;
    timer_delete(timer);
    printf("%s: %s after %s, %s\n", outcome(result), result ? "given up" : "ended",
           calls > 1 ? "many calls" : "one call",
           result ? "far too late" : class_of(took, 200 * MS));
}

static void sleep_loop(void)
{
    timer_t timer = signal_me(SIGUSR1, 500 * US, 500 * US);
    unsigned left = 2;
    int64_t start = now_ns();
    while ((left = sleep(left)) != 0) {
    }
    printf("%s\n", class_of(now_ns() - start, 2 * SEC));
    timer_delete(timer);
}

static void nanosleep_loop(void)
{
    struct timespec ts = {1, 0};
    timer_t timer = signal_me(SIGUSR1, 500 * US, 500 * US);
    int64_t start = now_ns();
    while (nanosleep(&ts, &ts) != 0) {
    }
    printf("%lld\n", (long long)(now_ns() - start));
    timer_delete(timer);
}

static void profiled_usleep(void)
{
    timer_t timer = signal_me(SIGUSR1, 10 * MS, 10 * MS);
    int64_t start = now_ns();
    int result = usleep(200000);
    printf("%s, %s\n", outcome(result), class_of(now_ns() - start, 200 * MS));
    timer_delete(timer);
}

/* The sets that a select in which the deadline passed inside the handler leaves. */
static void show_sets(FILE *out, struct waiter *w, int ready_fd)
{
    struct timeval tv = {0, 40000};
    struct timespec ts = {0, 40 * MS};
    fd_set in, out_set;
    FD_ZERO(&in);
    FD_ZERO(&out_set);
    FD_SET(w->fd, &in);
    FD_SET(ready_fd, &in);
    FD_SET(w->fd, &out_set);
    int nfds = (w->fd > ready_fd ? w->fd : ready_fd) + 1;
    int result = w->kind == SELECT ? select(nfds, &in, &out_set, NULL, &tv)
                                   : pselect(nfds, &in, &out_set, NULL, &ts, NULL);
    fprintf(out, ", sets %s: %d%d%d", outcome(result), FD_ISSET(w->fd, &in) != 0,
            FD_ISSET(ready_fd, &in) != 0, FD_ISSET(w->fd, &out_set) != 0);
}

static void deadline_in_handler(struct waiter *w, FILE *out)
{
    int fds[2];
    if (pipe(fds) != 0) {
        abort();
    }
    for (int readable = 0; readable < 2; readable++) {
        struct waiter own = waiter_open(w->kind, fds[0]);
        timer_t timer = signal_me(SIGUSR1, 10 * MS, 0);
        write_in_handler = readable ? fds[1] : 0;
        int result = wait_for(&own, 40 * MS);
        fprintf(out, "%s%s", readable ? ", readable " : "idle ", outcome(result));
        timer_delete(timer);
        waiter_close(&own);
    }
    if (w->kind == SELECT || w->kind == PSELECT) {
        int other[2];
        if (pipe(other) != 0) {
            abort();
        }
        for (int readable = 0; readable < 2; readable++) {
            timer_t timer = signal_me(SIGUSR1, 10 * MS, 0);
            write_in_handler = readable ? other[1] : 0;
            show_sets(out, w, other[0]);
            timer_delete(timer);
        }
    }
}

static void stopped(void)
{
    pid_t target = getpid();
    struct pollfd pollfd = {.fd = idle_fd(), .events = POLLIN};
    if (fork() == 0) {
        usleep(50000);
        kill(target, SIGSTOP);
        usleep(200000);
        kill(target, SIGUSR1);
        kill(target, SIGCONT);
        _exit(0);
    }
    const char *result = outcome(poll(&pollfd, 1, 150));
    printf("%s, handler ran %d times\n", result, handled);
    wait(NULL);
}

static bool wanted(enum kind kind)
{
    return kind != SLEEP;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    handle(SIGUSR1, handler, SA_RESTART);
    if (strcmp(what, "wait") == 0) {
        each_kind(NULL, idle_fd(), one_wait);
    } else if (strcmp(what, "rearmed") == 0) {
        rearmed();
    } else if (strcmp(what, "sleep") == 0) {
        sleep_loop();
    } else if (strcmp(what, "loop") == 0) {
        nanosleep_loop();
    } else if (strcmp(what, "usleep") == 0) {
        profiled_usleep();
    } else if (strcmp(what, "handler") == 0) {
        slow_handler = true;
        each_kind(wanted, idle_fd(), deadline_in_handler);
    } else if (strcmp(what, "stopped") == 0) {
        stopped();
    } else {
        return 2;
    }
    return 0;
}
