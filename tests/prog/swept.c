/*
 * swept LENGTH: 20 waits of LENGTH ms by each call, with a signal at another moment of each, so
 * that every stage of a wait meets some. What must hold for every wait is counted; ten waits must
 * have been interrupted, and since noise may let a signal come outside the wait, there are more
 * waits until they are.
 */
#include "waits.h"

static __thread volatile sig_atomic_t handled;
static int64_t length;

static void handler(int signo)
{
    (void)signo;
    handled++;
}

static void run(struct waiter *w, FILE *out)
{
    int interrupted = 0, early = 0, unexplained = 0, others = 0;
    for (int i = 0; i < 20 || (interrupted < 10 && i < 400); i++) {
        handled = 0;
        int64_t start = now_ns();
        timer_t timer = signal_me(SIGUSR1, length * (2 * (i % 20) + 1) / 40, 0);
        int result = wait_for(w, length);
        int64_t took = now_ns() - start;
        bool eintr = result == -1 && errno == EINTR;
        interrupted += eintr;
        unexplained += eintr && !handled;
        early += result == 0 && took < length;
        others += !eintr && result != 0;
        timer_delete(timer);
    }
    fprintf(out, "%s interrupted, %d EINTR without a handler, %d early timeouts, %d others",
            interrupted >= 10 ? "mostly" : "rarely", unexplained, early, others);
}

static bool wanted(enum kind kind)
{
    return kind != SLEEP;
}

int main(int argc, char **argv)
{
    length = (argc > 1 ? atol(argv[1]) : 40) * MS;
    handle(SIGUSR1, handler, 0);
    each_kind(wanted, idle_fd(), run);
    return 0;
}
