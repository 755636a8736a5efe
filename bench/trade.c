/*
 * The trade of CPU time against lateness: sleeps that aim a margin early and spin for the rest,
 * without the library. Margins at several quantiles of what this thread's own wake-ups took, and a
 * fixed 125 us with sched_yield in the spin. Prints for each: name, margin, p50, p90, p99 (ns),
 * CPU permille. trade NS [NAME...]: the length of a sleep, and which of them.
 */
#include "clock.h"
#include "series.h"
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define ROUNDS 10
#define WAITS  100

static struct trade {
    const char *name;
    int permille;   /* the quantile the margin is taken from; negative: a fixed margin */
    int64_t margin; /* ns, of the last round */
    bool yield;
    struct series late;
    int64_t cpu, elapsed;
} trades[] = {
    {.name = "none", .permille = -1},
    {.name = "q50", .permille = 500},
    {.name = "q75", .permille = 750},
    {.name = "q90", .permille = 900},
    {.name = "q95", .permille = 950},
    {.name = "q99", .permille = 990},
    {.name = "fixed125", .permille = -1, .margin = 125000, .yield = true},
};

static void sleep_until(int64_t when)
{
    struct timespec t = to_timespec(when);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void wait_until(const struct trade *t, int64_t deadline)
{
    if (deadline - t->margin > now_ns()) {
        sleep_until(deadline - t->margin);
    }
    while (now_ns() < deadline) {
        if (t->yield) {
            sched_yield();
        } else {
#if defined(__x86_64__) || defined(__i386__)
            __builtin_ia32_pause();
#endif
        }
    }
}

/* What a wake-up takes just now. */
static int64_t wakeup_quantile(int64_t ns, int permille)
{
    struct series s = {0};
    for (int i = 0; i < WAITS; i++) {
        int64_t deadline = now_ns() + ns;
        sleep_until(deadline);
        series_add(&s, now_ns() - deadline);
    }
    series_sort(&s);
    int64_t found = series_permille(&s, permille);
    free(s.value);
    return found;
}

static void round_of(struct trade *t, int64_t ns)
{
    if (t->permille >= 0) {
        t->margin = wakeup_quantile(ns, t->permille);
    }
    int64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), start = now_ns();
    for (int i = 0; i < WAITS; i++) {
        int64_t deadline = now_ns() + ns;
        wait_until(t, deadline);
        series_add(&t->late, now_ns() - deadline);
    }
    t->elapsed += now_ns() - start;
    t->cpu += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

static bool wanted(const struct trade *t, char **names)
{
    bool found = !*names;
    for (; *names; names++) {
        found |= strcmp(t->name, *names) == 0;
    }
    return found;
}

int main(int argc, char **argv)
{
    size_t n = sizeof(trades) / sizeof(*trades);
    if (argc < 2) {
        errx(2, "trade NS [NAME...]");
    }
    int64_t ns = strtoll(argv[1], NULL, 10);
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < n; i++) {
            if (wanted(&trades[i], argv + 2)) {
                round_of(&trades[i], ns);
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        struct trade *t = &trades[i];
        if (!t->late.count) {
            continue;
        }
        series_sort(&t->late);
        printf("%s %lld %lld %lld %lld %lld\n", t->name, (long long)t->margin,
               (long long)series_permille(&t->late, 500), (long long)series_permille(&t->late, 900),
               (long long)series_permille(&t->late, 990), (long long)(t->cpu * 1000 / t->elapsed));
    }
    return 0;
}
