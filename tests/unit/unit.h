/* Checks for the unit tests: a failure is printed with its place and makes the program exit 1. */
#ifndef UNIT_H
#define UNIT_H

#include <stdint.h>
#include <stdio.h>

static int unit_failures;

static inline void unit_check(int good, const char *what, const char *file, int line)
{
    if (!good) {
        printf("%s:%d: %s\n", file, line, what);
        unit_failures++;
    }
}

static inline void unit_equal(int64_t got, int64_t want, const char *what, const char *file,
                              int line)
{
    if (got != want) {
        printf("%s:%d: %s is %lld, not %lld\n", file, line, what, (long long)got, (long long)want);
        unit_failures++;
    }
}

#define CHECK(what)       unit_check(!!(what), #what, __FILE__, __LINE__)
#define EQUAL(what, want) unit_equal((what), (want), #what, __FILE__, __LINE__)

#endif
