/*
 * sample [-p] [-n COUNT] [-r ROUNDS] [-w WARMUP] [-c CONFIG,...] CALL:NS...
 * Starts a waiter for each configuration and lets them take turns, ROUNDS times COUNT waits, for
 * each CALL:NS. -p: all at the same time instead, their starts spread out, for waits so long that
 * turns would take minutes. Prints a line for each call and configuration, all times in ns:
 *   call requested config count min mean p50 p90 p99 max cpu_permille switches_permille
 *
 * Configurations: native, native1 (1 ns of timer slack, no library), observe, timer, and exactN
 * (HRTIMEOUT_CPU=N). The library comes from BENCH_LIB.
 */
#include "calls.h"
#include "clock.h"
#include "series.h"
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_CONFIGS 8

struct waiter {
    const char *config;
    int to, from;
    struct series late;
    int64_t elapsed, cpu, switches;
};

static struct waiter waiters[MAX_CONFIGS];
static int waiter_count;
static int count = 50, rounds = 5, warmup = 100;
static bool parallel;

static void set_config(const char *config)
{
    const char *lib = getenv("BENCH_LIB");
    unsetenv("LD_PRELOAD");
    if (strcmp(config, "native") == 0) {
        return;
    }
    if (strcmp(config, "native1") == 0) {
        setenv("BENCH_SLACK", "1", 1);
        return;
    }
    if (!lib) {
        errx(1, "BENCH_LIB isn't set");
    }
    setenv("LD_PRELOAD", lib, 1);
    if (strncmp(config, "exact", 5) == 0 && config[5]) {
        setenv("HRTIMEOUT_CPU", config + 5, 1);
        config = "exact";
    }
    setenv("HRTIMEOUT_MODE", config, 1);
}

static void start(struct waiter *w, const char *program, const char *config)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
        err(1, "pipe");
    }
    pid_t pid = fork();
    if (pid < 0) {
        err(1, "fork");
    }
    if (pid == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        set_config(config);
        execl(program, program, (char *)NULL);
        err(1, "%s", program);
    }
    close(in[0]);
    close(out[1]);
    *w = (struct waiter){.config = config, .to = in[1], .from = out[0]};
}

static void ask(struct waiter *w, int call, int64_t ns, int n)
{
    struct order order = {.call = call, .count = n, .ns = ns};
    if (!write_all(w->to, &order, sizeof(order))) {
        err(1, "%s: write", w->config);
    }
}

static void collect(struct waiter *w, bool keep)
{
    struct answer answer;
    int64_t late;
    if (!read_all(w->from, &answer, sizeof(answer))) {
        errx(1, "%s: the waiter has gone", w->config);
    }
    for (int64_t i = 0; i < answer.count; i++) {
        if (!read_all(w->from, &late, sizeof(late))) {
            errx(1, "%s: the waiter has gone", w->config);
        }
        if (keep) {
            series_add(&w->late, late);
        }
    }
    if (keep) {
        w->elapsed += answer.elapsed;
        w->cpu += answer.cpu;
        w->switches += answer.switches;
    }
}

static void round_of(int call, int64_t ns, int n, bool keep)
{
    for (int i = 0; i < waiter_count; i++) {
        ask(&waiters[i], call, ns, n);
        if (parallel) {
            struct timespec gap = to_timespec(ns / waiter_count);
            nanosleep(&gap, NULL);
        } else {
            collect(&waiters[i], keep);
        }
    }
    for (int i = 0; parallel && i < waiter_count; i++) {
        collect(&waiters[i], keep);
    }
}

static void report(const char *call, int64_t ns, struct waiter *w)
{
    struct series *s = &w->late;
    series_sort(s);
    printf("%s %lld %s %zu", call, (long long)ns, w->config, s->count);
    printf(" %lld %lld", (long long)series_permille(s, 0), (long long)series_mean(s));
    for (int i = 0; i < 4; i++) {
        static const int at[] = {500, 900, 990, 1000};
        printf(" %lld", (long long)series_permille(s, at[i]));
    }
    printf(" %lld %lld\n", (long long)(w->cpu * 1000 / w->elapsed),
           (long long)(w->switches * 1000 / (int64_t)s->count));
    free(s->value);
    *s = (struct series){0};
    w->elapsed = w->cpu = w->switches = 0;
}

static void measure(const char *what)
{
    char name[64];
    long long ns;
    if (sscanf(what, "%63[^:]:%lld", name, &ns) != 2 || timed_call_find(name) < 0) {
        errx(1, "'%s' isn't CALL:NS", what);
    }
    int call = timed_call_find(name);
    if (ns <= 0 || ns % timed_calls[call].unit) {
        errx(1, "%s can't wait %lld ns", name, ns);
    }
    if (warmup) {
        round_of(call, ns, warmup, false);
    }
    for (int i = 0; i < rounds; i++) {
        round_of(call, ns, count, true);
    }
    for (int i = 0; i < waiter_count; i++) {
        report(name, ns, &waiters[i]);
    }
}

int main(int argc, char **argv)
{
    char *configs = strdup("native,timer,exact100"), *slash = strrchr(argv[0], '/');
    char program[4096];
    int option;
    while ((option = getopt(argc, argv, "pn:r:w:c:")) != -1) {
        switch (option) {
        case 'p':
            parallel = true;
            break;
        case 'n':
            count = atoi(optarg);
            break;
        case 'r':
            rounds = atoi(optarg);
            break;
        case 'w':
            warmup = atoi(optarg);
            break;
        case 'c':
            configs = optarg;
            break;
        default:
            return 2;
        }
    }
    if (count < 1 || rounds < 1) {
        errx(2, "-n and -r take a number from 1 on");
    }
    snprintf(program, sizeof(program), "%.*swaiter", slash ? (int)(slash + 1 - argv[0]) : 0,
             argv[0]);
    setlinebuf(stdout);
    for (char *c = strtok(configs, ","); c && waiter_count < MAX_CONFIGS; c = strtok(NULL, ",")) {
        start(&waiters[waiter_count++], program, c);
    }
    for (int i = optind; i < argc; i++) {
        measure(argv[i]);
    }
    for (int i = 0; i < waiter_count; i++) {
        close(waiters[i].to);
    }
    while (wait(NULL) > 0) {
    }
    return 0;
}
