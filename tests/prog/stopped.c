/*
 * stopped          The process is stopped (SIGSTOP) from 0.1 to 0.5 s of a wait of 0.8 s: each
 *                  call's result, and whether the deadline was kept or moved by the stopped time.
 * stopped handler  It is stopped beyond the end of a wait of 0.2 s, and a signal with a handler
 *                  came meanwhile: each call's result.
 * stopped rem      The same, of the sleeps that were given somewhere to write the rest.
 *
 * Where the machine was so busy that the stop or its end came in the wrong part of a wait, all is
 * done again.
 */
#include "waits.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define TRIES 10

enum { PLAIN, HANDLER, REM } what;
static pthread_barrier_t all_started;
static pid_t tids[KINDS];

/* What happened when; each try is a process of its own, and so is the stopper. */
static struct {
    int64_t started[KINDS], stopped, continued;
} * times;

static int64_t length(void)
{
    return what == PLAIN ? 800 * MS : 200 * MS;
}

/* The stop lies within every wait; its end too, or beyond all of them. */
static bool as_planned(void)
{
    const int64_t room = 20 * MS;
    for (int k = 0; k < KINDS; k++) {
        int64_t start = times->started[k], end = start + length();
        bool ends_within = times->continued < end - room;
        bool ends_beyond = times->continued > end + room;
        if (start && (times->stopped < start + room || times->stopped > end - room ||
                      !(what == PLAIN ? ends_within : ends_beyond))) {
            return false;
        }
    }
    return true;
}

static void handler(int signo)
{
    (void)signo;
}

static void show_deadline(FILE *out, int result, int64_t took)
{
    int64_t stopped = times->continued - times->stopped;
    const char *when = took < length()                 ? "early"
                       : took < length() + stopped / 2 ? "deadline kept"
                                                       : "deadline moved";
    fprintf(out, "%s", outcome(result));
    if (result == 0) {
        fprintf(out, ", %s", when);
    }
}

static void show_rest(FILE *out, enum kind kind)
{
    struct timespec asked = {0, length()}, rest = {77, 77};
    int result = kind == NANOSLEEP
                     ? nanosleep(&asked, &rest)
                     : from_error_number(clock_nanosleep(CLOCK_MONOTONIC, 0, &asked, &rest));
    bool written = rest.tv_sec != 77;
    bool within = rest.tv_sec == 0 && rest.tv_nsec >= 0 && rest.tv_nsec <= asked.tv_nsec;
    fprintf(out, "%s, rest %s", outcome(result),
            !written ? "not written"
            : within ? "within what was asked"
                     : "wrong");
}

static void run(struct waiter *w, FILE *out)
{
    tids[w->kind] = gettid();
    pthread_barrier_wait(&all_started);
    int64_t start = times->started[w->kind] = now_ns();
    if (what == REM) {
        show_rest(out, w->kind);
    } else if (what == HANDLER) {
        fprintf(out, "%s", outcome(wait_for(w, length())));
    } else {
        int result = wait_for(w, length());
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
        times->stopped = now_ns();
        usleep(400000);
        for (int k = 0; what != PLAIN && k < KINDS; k++) {
            if (tids[k]) {
                syscall(SYS_tgkill, target, tids[k], SIGUSR1);
            }
        }
        times->continued = now_ns();
        kill(target, SIGCONT);
        _exit(0);
    }
    return unused;
}

static void try_once(void)
{
    pthread_t stopper;
    unsigned count = 1;
    for (int k = 0; k < KINDS; k++) {
        count += wanted((enum kind)k);
    }
    handle(SIGUSR1, handler, 0);
    pthread_barrier_init(&all_started, NULL, count);
    pthread_create(&stopper, NULL, stop_and_go, NULL);
    each_kind(wanted, idle_fd(), run);
    pthread_join(stopper, NULL);
    wait(NULL);
}

/* The output of a try counts when all went as planned. */
int main(int argc, char **argv)
{
    FILE *output = tmpfile();
    what = argc < 2 ? PLAIN : strcmp(argv[1], "rem") == 0 ? REM : HANDLER;
    times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < TRIES; i++) {
        int c;
        pid_t pid = fork();
        if (pid == 0) {
            dup2(fileno(output), STDOUT_FILENO);
            try_once();
            exit(0);
        }
        waitpid(pid, NULL, 0);
        rewind(output);
        while (as_planned() && (c = getc(output)) != EOF) {
            putchar(c);
        }
        if (as_planned()) {
            return 0;
        }
        if (ftruncate(fileno(output), 0) != 0) {
            break;
        }
        rewind(output);
    }
    puts("never as planned");
    return 1;
}
