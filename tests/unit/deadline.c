/* Every conversion at its edges, against plain division where that is exact. */
#include "deadline.h"

#include "unit.h"

#include <limits.h>

static const int64_t samples[] = {0,
                                  1,
                                  999,
                                  1000,
                                  999999,
                                  1000000,
                                  999999999,
                                  1000000000,
                                  1000000001,
                                  4294967295,
                                  4294967296,
                                  9007199254740993,
                                  INT64_MAX - 1000000000,
                                  INT64_MAX - 1,
                                  INT64_MAX};

static void test_timespec(int64_t ns)
{
    struct timespec ts = ns_to_timespec(ns);
    EQUAL(ts.tv_sec, ns / NS_PER_SEC);
    EQUAL(ts.tv_nsec, ns % NS_PER_SEC);
    struct timeval tv = ns_to_timeval(ns);
    EQUAL(tv.tv_sec, ns / NS_PER_SEC);
    EQUAL(tv.tv_usec, ns % NS_PER_SEC / NS_PER_US);
    EQUAL(ns_to_seconds(ns), ns / NS_PER_SEC > UINT32_MAX ? UINT32_MAX : ns / NS_PER_SEC);
}

/* Rounded up it's never less, and by less than a unit more; ms stay what an int can hold. */
static void test_rounding(int64_t ns)
{
    struct timeval tv = ns_to_timeval_up(ns);
    int64_t up = ns_from_parts(tv.tv_sec, (int64_t)tv.tv_usec * NS_PER_US);
    CHECK(ns > INT64_MAX - NS_PER_US || (up >= ns && up - ns < NS_PER_US));
    if (ns / NS_PER_MS <= 2147483000) {
        EQUAL(ns_to_ms(ns), ns / NS_PER_MS);
        EQUAL(ns_to_ms_up(ns), (ns + NS_PER_MS - 1) / NS_PER_MS);
    } else {
        EQUAL(ns_to_ms(ns), 2147483000);
    }
}

static void test_saturation(void)
{
    EQUAL(ns_add(INT64_MAX, 1), INT64_MAX);
    EQUAL(ns_add(INT64_MIN, -1), INT64_MIN);
    EQUAL(ns_add(INT64_MAX, INT64_MIN), -1);
    EQUAL(ns_from_parts(INT64_MAX, 0), INT64_MAX);
    EQUAL(ns_from_parts(INT64_MIN, 0), INT64_MIN);
    EQUAL(ns_from_parts(9223372036, 854775807), INT64_MAX);
    EQUAL(ns_from_parts(9223372036, 854775808), INT64_MAX);
    EQUAL(ns_from_parts(9223372037, 0), INT64_MAX);
    EQUAL(ns_from_ms(INT_MAX), INT64_C(2147483647000000));
    EQUAL(ns_from_ms(INT_MIN), INT64_C(-2147483648000000));
    EQUAL(ns_from_us(UINT32_MAX), INT64_C(4294967295000));
}

static void test_remaining(void)
{
    EQUAL(ns_remaining(5, 3), 2);
    EQUAL(ns_remaining(3, 3), 0);
    EQUAL(ns_remaining(3, 5), 0);
    EQUAL(ns_remaining(INT64_MAX, 5), INT64_MAX);
    EQUAL(ns_remaining(INT64_MAX - 1, -5), INT64_MAX);
    EQUAL(ns_remaining(INT64_MIN, 5), 0);
    EQUAL(ns_remaining(0, INT64_MIN), INT64_MAX);
    /* a virtual CPU that was away for a minute */
    EQUAL(ns_remaining(1000, 60 * NS_PER_SEC), 0);
}

static void test_validity(void)
{
    CHECK(timespec_valid(0, 0));
    CHECK(timespec_valid(INT64_MAX, 999999999));
    CHECK(!timespec_valid(-1, 0));
    CHECK(!timespec_valid(0, -1));
    CHECK(!timespec_valid(0, 1000000000));
    CHECK(!timespec_valid(0, INT64_MAX));
}

int main(void)
{
    for (unsigned i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
        test_timespec(samples[i]);
        test_rounding(samples[i]);
    }
    /* a walk through all magnitudes, with a step that hits no pattern */
    for (int64_t ns = 1; ns < INT64_MAX / 3; ns = ns * 2 + 12345) {
        test_timespec(ns);
        test_timespec(ns / NS_PER_SEC * NS_PER_SEC);
        test_timespec(ns / NS_PER_SEC * NS_PER_SEC + NS_PER_SEC - 1);
        test_rounding(ns);
    }
    test_saturation();
    test_remaining();
    test_validity();
    return unit_failures != 0;
}
