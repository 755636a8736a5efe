/*
 * early WAITS THREADS: waits of all calls for 0.5 us to 200 ms, chosen at random, short ones more
 * often. Prints for each call: name, waits, waits that ended early, the smallest lateness (ns).
 * Exit 1 when any wait ended early.
 */
#include "calls.h"
#include <err.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_CALLS 32
#define SHORTEST  500.0
#define LONGEST   200e6

struct tally {
    long waits, early;
    int64_t least;
};

struct job {
    pthread_t thread;
    long waits;
    unsigned short seed[3];
    struct tally tally[MAX_CALLS];
};

/* Log-uniform would spend nearly all the time in the longest; squared, it spends half of it. */
static int64_t length(struct job *job, int64_t unit)
{
    double u = erand48(job->seed);
    int64_t units = (int64_t)(SHORTEST * pow(LONGEST / SHORTEST, u * u)) / unit;
    return (units ? units : 1) * unit;
}

static void *work(void *arg)
{
    struct job *job = arg;
    timed_calls_open();
    for (long i = 0; i < job->waits; i++) {
        int call = (int)(erand48(job->seed) * timed_call_count);
        struct tally *t = &job->tally[call];
        int64_t late = timed_call_lateness(call, length(job, timed_calls[call].unit));
        t->early += late < 0;
        t->least = t->waits++ && t->least < late ? t->least : late;
    }
    return NULL;
}

static void start(struct job *job, int number, long waits)
{
    pthread_attr_t small;
    job->waits = waits;
    job->seed[0] = (unsigned short)number;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    if (pthread_create(&job->thread, &small, work, job) != 0) {
        err(1, "thread %d", number);
    }
}

int main(int argc, char **argv)
{
    long waits = argc == 3 ? atol(argv[1]) : 0, early = 0;
    int threads = argc == 3 ? atoi(argv[2]) : 0;
    struct job *jobs = threads > 0 ? calloc((size_t)threads, sizeof(*jobs)) : NULL;
    if (!jobs || waits < threads) {
        errx(2, "early WAITS THREADS");
    }
    for (int i = 0; i < threads; i++) {
        start(&jobs[i], i, waits / threads + (i < waits % threads));
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(jobs[i].thread, NULL);
    }
    for (int call = 0; call < timed_call_count; call++) {
        struct tally all = {.least = INT64_MAX};
        for (int i = 0; i < threads; i++) {
            struct tally *t = &jobs[i].tally[call];
            all.waits += t->waits;
            all.early += t->early;
            all.least = t->waits && t->least < all.least ? t->least : all.least;
        }
        early += all.early;
        printf("%s %ld %ld %lld\n", timed_calls[call].name, all.waits, all.early,
               (long long)all.least);
    }
    return early ? 1 : 0;
}
