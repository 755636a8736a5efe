/*
 * masks: for each call with a signal mask, with a signal that the thread has blocked and the mask
 * hasn't: all cases of descriptor ready or not, timeout zero or not, signal pending or not. Then a
 * mask that blocks: a signal during the wait stays pending until the wait is over. Then whether the
 * thread's own mask is as it was.
 */
#include "waits.h"

static __thread volatile sig_atomic_t handled;

static void handler(int signo)
{
    (void)signo;
    handled++;
}

static bool pending(int signo)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, signo);
}

static void one_case(struct waiter *w, FILE *out, int64_t length, bool raise_it)
{
    handled = 0;
    if (raise_it) {
        pthread_kill(pthread_self(), SIGUSR1);
    }
    int64_t start = now_ns();
    int result = wait_for(w, length);
    int64_t took = now_ns() - start;
    fprintf(out, "\n  %s fd, %s, %s: %s", w->fd == STDIN_FILENO ? "ready" : "idle",
            length ? "50 ms" : "zero", raise_it ? "pending" : "no signal", outcome(result));
    fprintf(out, "%s, handler %s%s", result == 0 && took < length ? " too early" : "",
            handled ? "ran" : "didn't run", pending(SIGUSR1) ? ", still pending" : "");
    while (pending(SIGUSR1)) {
        int signo;
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        sigwait(&set, &signo);
    }
}

/*
 * SIGUSR2 isn't blocked by the thread, only by the mask. False: the machine was so busy that the
 * signal may have come before the wait.
 */
static bool blocked_during(struct waiter *w, FILE *out)
{
    const struct timespec a_ms = {0, MS};
    handled = 0;
    int64_t armed = now_ns();
    timer_t timer = signal_me(SIGUSR2, 20 * MS, 0);
    int64_t start = now_ns();
    const char *result = outcome(wait_for(w, 80 * MS));
    bool in_time = now_ns() - start >= 80 * MS, too_soon = handled && start - armed > 10 * MS;
    for (int i = 0; i < 1000 && !handled; i++) {
        nanosleep(&a_ms, NULL);
    }
    timer_delete(timer);
    if (!too_soon) {
        fprintf(out, "\n  blocked by the mask: %s, %s, handler %s", result,
                in_time ? "at its deadline" : "early", handled ? "ran afterwards" : "didn't run");
    }
    return !too_soon;
}

static void run(struct waiter *w, FILE *out)
{
    sigset_t usr1, usr2, unblocked, before, after;
    struct waiter ready = waiter_open(w->kind, STDIN_FILENO);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    sigemptyset(&unblocked);
    w->mask = ready.mask = &unblocked;
    for (int i = 0; i < 8; i++) {
        one_case(i & 1 ? &ready : w, out, i & 2 ? 50 * MS : 0, i & 4);
    }
    sigemptyset(&usr2);
    sigaddset(&usr2, SIGUSR2);
    w->mask = &usr2;
    for (int i = 0; i < 10 && !blocked_during(w, out); i++) {
    }
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    fprintf(out, "\n  mask %s",
            memcmp(&before, &after, sizeof(long)) == 0 ? "as it was" : "changed");
    waiter_close(&ready);
}

int main(void)
{
    dup2(ready_fd(), STDIN_FILENO);
    handle(SIGUSR1, handler, 0);
    handle(SIGUSR2, handler, 0);
    each_kind(has_mask, idle_fd(), run);
    return 0;
}
