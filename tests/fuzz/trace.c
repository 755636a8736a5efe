#include "trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct trace *trace;

void say(const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof(line)) {
        length = sizeof(line) - 1;
    }
    unsigned at = atomic_fetch_add(&trace->length, (unsigned)length);
    if (at + (unsigned)length < sizeof(trace->text)) {
        memcpy(trace->text + at, line, (size_t)length);
    }
}

const char *error_name(int error)
{
    const char *name = strerrorname_np(error);
    return name ? name : "unknown";
}

int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

void sleep_until(int64_t when)
{
    struct timespec t = {when / 1000000000L, when % 1000000000L};
    while (now() < when) {
        syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    }
}
