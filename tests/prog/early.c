/*
 * early COUNT [migrate]: COUNT waits of each length by each call, all calls at the same time, and
 * how many of them ended by timeout before their deadline. With `migrate` every thread is moved
 * from CPU to CPU meanwhile. Sleeps of whole seconds are done once for every 1000.
 */
#include "waits.h"

#include <sched.h>
#include <stdatomic.h>

static const int64_t lengths[] = {1 * US, 10 * US,   11111,   999 * US,
                                  1 * MS, 1500 * US, 10 * MS, 30 * MS};
static int count;
static atomic_int tids[KINDS];
static atomic_bool finished;

static long counted(enum kind kind, int64_t asked)
{
    if (kind == SLEEP) {
        return count / 1000 + 1;
    }
    if (asked > 10 * MS) {
        return count / 20 + 1;
    }
    return asked == 10 * MS ? count / 4 + 1 : count;
}

static void mask_some(struct waiter *w, long i)
{
    static const sigset_t nothing_blocked;
    w->mask = i % 4 == 3 ? &nothing_blocked : NULL;
}

static bool too_soon(const struct waiter *w, int64_t start, int64_t asked)
{
    if (w->kind == ABSOLUTE || w->kind == ABSOLUTE_REAL) {
        return clock_ns(kind_clock(w->kind)) < w->deadline;
    }
    return now_ns() - start < asked;
}

static void run(struct waiter *w, FILE *out)
{
    struct waiter without_fd = waiter_open(w->kind, -1);
    long waits = 0, early = 0, others = 0;
    tids[w->kind] = gettid();
    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
        int64_t asked = asked_ns(w->kind, lengths[l]);
        if (l > 0 && asked == asked_ns(w->kind, lengths[l - 1])) {
            continue;
        }
        for (long i = counted(w->kind, asked); i > 0; i--, waits++) {
            struct waiter *one = i % 2 ? w : &without_fd;
            mask_some(one, i / 2);
            int64_t start = now_ns();
            int result = wait_for(one, asked);
            early += too_soon(one, start, asked);
            others += result != 0;
        }
    }
    tids[w->kind] = 0;
    waiter_close(&without_fd);
    fprintf(out, "%ld waits, %ld early, %ld not ended by timeout", waits, early, others);
}

static void *move_threads(void *unused)
{
    cpu_set_t all, one;
    sched_getaffinity(0, sizeof(all), &all);
    for (int cpu = 0; !finished; cpu = (cpu + 1) % CPU_SETSIZE) {
        if (!CPU_ISSET(cpu, &all)) {
            continue;
        }
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        for (int k = 0; k < KINDS; k++) {
            if (tids[k]) {
                sched_setaffinity(tids[k], sizeof(one), &one);
            }
        }
        usleep(300);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t mover;
    count = argc > 1 ? atoi(argv[1]) : 100;
    if (count > 1000) {
        alarm(0); /* by hand: as long as it takes */
    }
    if (argc > 2) {
        pthread_create(&mover, NULL, move_threads, NULL);
    }
    each_kind(NULL, idle_fd(), run);
    finished = true;
    if (argc > 2) {
        pthread_join(mover, NULL);
    }
    return 0;
}
