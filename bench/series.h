/* What one process is asked to measure, what it answers, and what is kept of many answers. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sent to a waiter on its standard input: make `count` waits and time each. */
struct order {
    int call; /* index into timed_calls */
    int count;
    int64_t ns;
};

/* Its answer on standard output, followed by `count` latenesses (int64_t, ns). */
struct answer {
    int64_t elapsed;  /* of all the waits, ns */
    int64_t cpu;      /* the thread's CPU time, ns */
    int64_t switches; /* voluntary context switches: times it was put to sleep */
    int64_t count;
};

struct series {
    int64_t *value;
    size_t count, room;
};

void series_add(struct series *s, int64_t value);
void series_sort(struct series *s);
/* The p-th of 1000 parts of a sorted series; 0 when it is empty. */
int64_t series_permille(const struct series *s, int p);
int64_t series_mean(const struct series *s);

/* Whole objects over a pipe. */
bool read_all(int fd, void *to, size_t size);
bool write_all(int fd, const void *from, size_t size);

#endif
