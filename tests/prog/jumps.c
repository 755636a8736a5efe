/*
 * jumps COUNT: COUNT times a handler leaves each call, waiting for ever or for 60 s, by siglongjmp;
 * afterwards the same call waits as ever.
 */
#include "waits.h"

#include <setjmp.h>

static int count;
static __thread sigjmp_buf back;
static __thread volatile sig_atomic_t armed;

static void handler(int signo)
{
    (void)signo;
    if (armed) {
        armed = 0;
        siglongjmp(back, 1);
    }
}

static void run(struct waiter *w, FILE *out)
{
    timer_t timer = signal_me(SIGUSR1, 300 * US, 300 * US);
    volatile int jumped = 0;
    for (volatile int i = 0; i < count; i++) {
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            wait_for(w, i % 2 && w->kind != SLEEP ? FOREVER : 60 * SEC);
            armed = 0;
        } else {
            jumped++;
        }
    }
    timer_delete(timer);
    int64_t start = now_ns();
    int result = wait_for(w, 20 * MS);
    fprintf(out, "%d jumps, then %s %s", jumped, outcome(result),
            now_ns() - start >= asked_ns(w->kind, 20 * MS) ? "at the deadline" : "early");
}

int main(int argc, char **argv)
{
    count = argc > 1 ? atoi(argv[1]) : 1000;
    handle(SIGUSR1, handler, 0);
    each_kind(NULL, idle_fd(), run);
    return 0;
}
