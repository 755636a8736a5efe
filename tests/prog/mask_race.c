/*
 * mask_race ROUNDS: in each round one wait of each call that has a mask unblocks a signal that is
 * sent at a random moment round the start of the wait. The handler must end the wait: were the mask
 * set by a call of its own, some handlers would run before the wait, which would then last a
 * second. Every 128th round waits in steps of 12 ms, so that the signal also falls between two
 * stages.
 */
#include "waits.h"

#include <sched.h>
#include <stdatomic.h>

static int rounds;
static __thread volatile sig_atomic_t handled;

static void handler(int signo)
{
    (void)signo;
    handled = 1;
}

struct race {
    pthread_t waiter;
    atomic_int round; /* the sender sends once for each */
    unsigned seed;
};

static void spin_for(int64_t ns)
{
    for (int64_t end = now_ns() + ns; now_ns() < end;) {
    }
}

static void *sender(void *arg)
{
    struct race *race = arg;
    for (int sent = 0; sent < rounds; sent++) {
        while (race->round <= sent) {
            sched_yield();
        }
        if (sent % 128 == 127) {
            usleep(10000 + rand_r(&race->seed) % 4000);
        } else {
            spin_for(rand_r(&race->seed) % (sent % 2 ? 60 * US : 5 * US));
        }
        pthread_kill(race->waiter, SIGUSR1);
    }
    return NULL;
}

static void run(struct waiter *w, FILE *out)
{
    struct race race = {.waiter = pthread_self(), .seed = w->kind};
    sigset_t usr1, unblocked;
    pthread_t thread;
    unsigned seed = w->kind + 100;
    int hung = 0, unhandled = 0, others = 0;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    pthread_create(&thread, NULL, sender, &race);
    sigemptyset(&unblocked);
    w->mask = &unblocked;
    for (int i = 0; i < rounds; i++) {
        handled = 0;
        race.round++;
        if (i % 128 == 127) {
            for (int tries = 0; !handled && tries < 1000; tries++) {
                wait_for(w, 12 * MS);
            }
            unhandled += !handled;
            continue;
        }
        spin_for(rand_r(&seed) % (10 * US)); /* sending a signal takes a few us */
        int result = wait_for(w, SEC);
        hung += result == 0;
        unhandled += !handled;
        others += result > 0 || (result == -1 && errno != EINTR);
    }
    pthread_join(thread, NULL);
    fprintf(out, "%d rounds, %d hung, %d without handler, %d others", rounds, hung, unhandled,
            others);
}

int main(int argc, char **argv)
{
    rounds = argc > 1 ? atoi(argv[1]) : 10000;
    handle(SIGUSR1, handler, 0);
    each_kind_in_turn(has_mask, idle_fd(), run);
    return 0;
}
