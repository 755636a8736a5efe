/*
 * share MS: counts as fast as it can, on whatever CPU it was put, and prints the count.
 * share MS NS CPU: instead sleeps NS again and again, having moved itself to that CPU only after
 * it was started (a library that looks at start has seen all CPUs), and prints the sleeps made.
 */
#include "clock.h"
#include <err.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static long long count_until(int64_t end)
{
    long long n = 0;
    while (now_ns() < end) {
        n++;
    }
    return n;
}

static long long sleep_until(int64_t end, int64_t ns, int cpu)
{
    long long n = 0;
    struct timespec t = to_timespec(ns);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) {
        err(1, "CPU %d", cpu);
    }
    while (now_ns() < end) {
        nanosleep(&t, NULL);
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 4) {
        errx(2, "share MS [NS CPU]");
    }
    int64_t end = now_ns() + strtoll(argv[1], NULL, 10) * 1000000;
    printf("%lld\n", argc == 2 ? count_until(end)
                               : sleep_until(end, strtoll(argv[2], NULL, 10), atoi(argv[3])));
    return 0;
}
