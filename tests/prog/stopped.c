/*
 * stopped          The process is stopped (SIGSTOP) from 0.1 to 0.5 s of a wait of 0.8 s: each
 *                  call's result, and whether the deadline was kept or moved by the stopped time.
 * stopped handler  It is stopped beyond the end of a wait of 0.2 s, and a signal with a handler
 * came meanwhile: each call's result. stopped rem      The same, of the sleeps that were given
 * somewhere to write the rest.
 */
#include "waits.h"

#include <sys/syscall.h>
#include <sys/wait.h>

enum { PLAIN, HANDLER, REM } what;
static pthread_barrier_t all_started;
static pid_t tids[KINDS];

static void handler(int signo)
{
    (void)signo;
}

static void show_deadline(FILE *out, int result, int64_t took)
{
    const char *when = took < 800 * MS    ? "early"
                       : took < 1050 * MS ? "deadline kept"
                                          : "deadline moved";
    fprintf(out, "%s", outcome(result));
    if (result == 0) {
        fprintf(out, ", %s", when);
    }
}

static void show_rest(FILE *out, enum kind kind)
{
    struct timespec length = {0, 200 * MS}, rest = {77, 77};
    int result = kind == NANOSLEEP
                     ? nanosleep(&length, &rest)
                     : from_error_number(clock_nanosleep(CLOCK_MONOTONIC, 0, &length, &rest));
    bool written = rest.tv_sec != 77;
    bool within = rest.tv_sec == 0 && rest.tv_nsec >= 0 && rest.tv_nsec <= length.tv_nsec;
    fprintf(out, "%s, rest %s", outcome(result),
            !written ? "not written"
            : within ? "within what was asked"
                     : "wrong");
}

static void run(struct waiter *w, FILE *out)
{
    tids[w->kind] = gettid();
    pthread_barrier_wait(&all_started);
    int64_t start = now_ns();
    if (what == REM) {
        show_rest(out, w->kind);
    } else if (what == HANDLER) {
        fprintf(out, "%s", outcome(wait_for(w, 200 * MS)));
    } else {
        int result = wait_for(w, 800 * MS);
        show_deadline(out, result, now_ns() - start);
    }
}

static bool wanted(enum kind kind)
{
    return what == REM ? kind == NANOSLEEP || kind == CLOCK_NANOSLEEP : kind != SLEEP;
}

static void *stop_and_go(void *unused)
{
    pid_t target = getpid();
    pthread_barrier_wait(&all_started);
    if (fork() == 0) {
        usleep(100000);
        kill(target, SIGSTOP);
        usleep(400000);
        for (int k = 0; what != PLAIN && k < KINDS; k++) {
            if (tids[k]) {
                syscall(SYS_tgkill, target, tids[k], SIGUSR1);
            }
        }
        kill(target, SIGCONT);
        _exit(0);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t stopper;
    unsigned count = 1;
    what = argc < 2 ? PLAIN : strcmp(argv[1], "rem") == 0 ? REM : HANDLER;
    for (int k = 0; k < KINDS; k++) {
        count += wanted((enum kind)k);
    }
    handle(SIGUSR1, handler, 0);
    pthread_barrier_init(&all_started, NULL, count);
    pthread_create(&stopper, NULL, stop_and_go, NULL);
    each_kind(wanted, idle_fd(), run);
    pthread_join(stopper, NULL);
    wait(NULL);
    return 0;
}
