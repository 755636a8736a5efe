/* What a program says about itself: facts that scheduling noise can't change, one a line. */
#ifndef FUZZ_TRACE_H
#define FUZZ_TRACE_H

#include <stdatomic.h>
#include <stdint.h>

/* Shared by the runner, the program and its children. */
struct trace {
    atomic_uint length;
    atomic_uint waits;
    /* Something the program planned came too late for its facts to be certain: do it again. */
    atomic_uint noisy;
    _Atomic int64_t stopped, continued; /* when the stopping process did so */
    char text[1 << 16];
};

extern struct trace *trace;

/* Also from handlers. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *error_name(int error);
int64_t now(void); /* ns on CLOCK_MONOTONIC */
/* By a raw system call: the library under test has no part in it. */
void sleep_until(int64_t when);

#endif
