/* All time arithmetic against the same in 128 bits, where nothing can overflow. */
#include "deadline.h"
#include "input.h"

#include <limits.h>

typedef __int128 wide;

static int64_t saturated(wide value)
{
    return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static void sums(int64_t a, int64_t b)
{
    wide left = (wide)a - b;
    must(ns_add(a, b) == saturated((wide)a + b));
    must(ns_remaining(a, b) == (a == DEADLINE_NEVER ? a : left < 0 ? 0 : saturated(left)));
    if (b >= 0 && b < NS_PER_SEC) {
        /* Seconds that don't fit saturate, whatever the rest is. */
        wide seconds = (wide)a * NS_PER_SEC;
        bool fits = seconds == saturated(seconds);
        must(ns_from_parts(a, b) == saturated(fits ? seconds + b : seconds));
    }
    must(timespec_valid(a, b) == (a >= 0 && b >= 0 && b <= 999999999));
    must(ns_from_ms((int)a) == (wide)(int)a * 1000000);
    must(ns_from_us((uint32_t)a) == (wide)(uint32_t)a * 1000);
}

static void conversions(int64_t ns)
{
    wide ms = ns / 1000000, up = ((wide)ns + 999999) / 1000000;
    if (ns < 0) {
        return;
    }
    must(ns_to_timespec(ns).tv_sec == ns / NS_PER_SEC);
    must(ns_to_timespec(ns).tv_nsec == ns % NS_PER_SEC);
    must(ns_to_timeval(ns).tv_sec == ns / NS_PER_SEC);
    must(ns_to_timeval(ns).tv_usec == ns % NS_PER_SEC / 1000);
    if (ns < INT64_MAX - 1000) {
        must(ns_to_timeval_up(ns).tv_sec == (ns + 999) / NS_PER_SEC);
        must(ns_to_timeval_up(ns).tv_usec == (ns + 999) % NS_PER_SEC / 1000);
    }
    must(ns_to_ms(ns) == (ms < 2147483000 ? ms : 2147483000));
    must(ns_to_ms_up(ns) == (up < 2147483000 ? up : 2147483000));
    must(ns_to_seconds(ns) ==
         (ns / NS_PER_SEC > UINT32_MAX ? UINT32_MAX : (uint32_t)(ns / NS_PER_SEC)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    int64_t a = take(&in), b = take(&in);
    sums(a, b);
    sums(b, a);
    conversions(a);
    conversions(b);
    return 0;
}
