/*
 * rest: what the sleeps write to, or return as, the time that is left: interrupted after 50 ms,
 * completed, refused; req and rem apart and one object; the rest and the time slept make up the
 * whole.
 */
#include "waits.h"

enum call { NANO, CLOCK_MONO, CLOCK_REAL, CLOCK_BOOT, CLOCK_ABS, THRD, CALLS };

static const char *const names[CALLS] = {"nanosleep",
                                         "clock_nanosleep monotonic",
                                         "clock_nanosleep realtime",
                                         "clock_nanosleep boottime",
                                         "clock_nanosleep absolute",
                                         "thrd_sleep"};

static void handler(int signo)
{
    (void)signo;
}

static int call_sleep(enum call call, const struct timespec *req, struct timespec *rem)
{
    switch (call) {
    case NANO:
        return nanosleep(req, rem) == 0 ? 0 : errno;
    case CLOCK_MONO:
        return clock_nanosleep(CLOCK_MONOTONIC, 0, req, rem);
    case CLOCK_REAL:
        return clock_nanosleep(CLOCK_REALTIME, 0, req, rem);
    case CLOCK_BOOT:
        return clock_nanosleep(CLOCK_BOOTTIME, 0, req, rem);
    case CLOCK_ABS:
        return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, req, rem);
    default:
        return thrd_sleep(req, rem);
    }
}

static int64_t ns_of(const struct timespec *ts)
{
    return (int64_t)ts->tv_sec > INT_MAX ? FOREVER : ts->tv_sec * SEC + ts->tv_nsec;
}

static const char *judge(int64_t asked, const struct timespec *rem, int64_t slept)
{
    int64_t left = ns_of(rem);
    if (rem->tv_sec == -77 && rem->tv_nsec == -77) {
        return "not written";
    }
    if (left < 0 || left > asked || rem->tv_nsec < 0 || rem->tv_nsec >= SEC) {
        return "outside of what was asked";
    }
    if (asked == FOREVER) {
        return "very long";
    }
    if (slept + left < asked) {
        return "too little";
    }
    return slept + left < asked + SEC ? "fits" : "too much";
}

/* interval 0: not interrupted */
static void try_sleep(enum call call, int64_t asked, int64_t interval, bool alias, const char *name)
{
    struct timespec req = {asked == FOREVER ? TIME_MAX : asked / SEC, asked % SEC};
    struct timespec separate = {-77, -77}, *rem = alias ? &req : &separate;
    timer_t timer = interval ? signal_me(SIGUSR1, interval, interval) : 0;
    int64_t start = now_ns();
    if (call == CLOCK_ABS && asked != FOREVER) {
        req = (struct timespec){(start + asked) / SEC, (start + asked) % SEC};
    }
    struct timespec before = req;
    errno = 77;
    int result = call_sleep(call, &req, rem);
    int error = errno;
    int64_t slept = now_ns() - start;
    bool same = rem->tv_sec == before.tv_sec && rem->tv_nsec == before.tv_nsec;
    if (interval) {
        timer_delete(timer);
    }
    printf("%s, %s%s: %d, errno %d, rest %s\n", names[call], name, alias ? ", one object" : "",
           result, error, alias && same ? "as asked" : judge(asked, rem, slept));
}

static void try_without_rest(enum call call)
{
    struct timespec req = {60, 0};
    timer_t timer = signal_me(SIGUSR1, 50 * MS, 50 * MS);
    int result = call_sleep(call, &req, NULL);
    timer_delete(timer);
    printf("%s, no rest wanted: %d\n", names[call], result);
}

static void try_refused(enum call call)
{
    struct timespec req = {0, SEC}, rem = {-77, -77};
    int result = call_sleep(call, &req, &rem);
    printf("%s, refused: %d, rest %s\n", names[call], result, judge(SEC, &rem, 0));
}

static void try_seconds(unsigned seconds)
{
    timer_t timer = signal_me(SIGUSR1, 50 * MS, 50 * MS);
    errno = 77;
    unsigned left = sleep(seconds);
    printf("sleep %u: %u left, errno %d\n", seconds, left, errno);
    timer_delete(timer);
}

int main(void)
{
    handle(SIGUSR1, handler, SA_RESTART);
    for (enum call call = NANO; call < CALLS; call++) {
        for (int alias = 0; alias < 2; alias++) {
            try_sleep(call, 60 * SEC, 50 * MS, alias, "interrupted");
            try_sleep(call, 1, 0, alias, "1 ns");
            try_sleep(call, 20 * MS, 0, alias, "20 ms");
            try_sleep(call, FOREVER, 50 * MS, alias, "for ever");
        }
        try_without_rest(call);
        try_refused(call);
    }
    try_seconds(3);
    try_seconds(1);
    try_seconds(UINT_MAX);
    return 0;
}
