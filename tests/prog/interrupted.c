/*
 * interrupted SIGNAL LENGTH: what each call says when a signal arrives 30 ms (and every 20 ms)
 * after it was called. SIGNAL  handler, restart (SA_RESTART), ignored (SIG_IGN), default (ignored
 * by default), shared (to the process, ignored, but blocked by the main thread) LENGTH  in ms, or
 * forever
 */
#include "waits.h"

#include <stdatomic.h>

static __thread volatile sig_atomic_t handled;
static const char *how;
static int64_t length;

static void handler(int signo)
{
    (void)signo;
    handled++;
}

static void run(struct waiter *w, FILE *out)
{
    bool shared = strcmp(how, "shared") == 0;
    bool ignored = strcmp(how, "ignored") == 0 || strcmp(how, "default") == 0;
    timer_t timer;
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_UNBLOCK, &chld, NULL);
    if (!shared) {
        timer = signal_me(ignored ? SIGCHLD : SIGUSR1, 30 * MS, 20 * MS);
    }
    int64_t start = now_ns();
    const char *result = outcome(wait_for(w, length));
    int64_t took = now_ns() - start;
    if (!shared) {
        timer_delete(timer);
    }
    fprintf(out, "%s, %s, handler %s", result,
            took >= asked_ns(w->kind, length) ? "at its deadline" : "before its deadline",
            handled ? "ran" : "didn't run");
}

static bool wanted(enum kind kind)
{
    if (kind == SLEEP && strcmp(how, "default") == 0) {
        return false; /* a second is long; once is enough */
    }
    return length != FOREVER || has_fds(kind);
}

static atomic_bool finished;

static void *send_shared(void *unused)
{
    while (!finished) {
        usleep(15000);
        kill(getpid(), SIGCHLD);
    }
    return unused;
}

/* One kind at a time, so that its thread is the only one that the kernel can choose. */
static void each_shared(void)
{
    sigset_t chld;
    pthread_t sender;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &chld, NULL);
    pthread_create(&sender, NULL, send_shared, NULL);
    each_kind_in_turn(NULL, idle_fd(), run);
    finished = true;
    pthread_join(sender, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    how = argv[1];
    length = strcmp(argv[2], "forever") == 0 ? FOREVER : atol(argv[2]) * MS;
    handle(SIGUSR1, handler, strcmp(how, "restart") == 0 ? SA_RESTART : 0);
    handle(SIGCHLD, strcmp(how, "ignored") == 0 ? SIG_IGN : SIG_DFL, 0);
    if (strcmp(how, "shared") == 0) {
        each_shared();
    } else {
        each_kind(wanted, idle_fd(), run);
    }
    return 0;
}
