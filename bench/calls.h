/* The wrapped calls, each as "wait this long", with one idle descriptor where a call takes any. */
#ifndef BENCH_CALLS_H
#define BENCH_CALLS_H

#include <stdint.h>

struct timed_call {
    const char *name;
    int64_t unit;             /* the finest step in ns that its argument can say */
    void (*wait)(int64_t ns); /* ns is a multiple of the unit */
};

extern const struct timed_call timed_calls[];
extern const int timed_call_count;

/* The index of a name, or -1. */
int timed_call_find(const char *name);

/* Opens this thread's idle descriptors; exits when it can't. */
void timed_calls_open(void);

/* One wait; returns its lateness in ns, negative when it ended early. */
int64_t timed_call_lateness(int call, int64_t ns);

#endif
