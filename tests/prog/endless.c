/*
 * endless: waits that are far longer than anybody waits, or have no end, however it is said. Each
 * is cut off by a signal, so that a result of 0 or an error other than EINTR shows a wait that
 * wrapped.
 */
#include "waits.h"

static int idle, epoll;

static void handler(int signo)
{
    (void)signo;
}

static void show(const char *what, int result)
{
    printf("%s: %d %s\n", what, result, result == -1 ? strerrorname_np(errno) : "");
}

static void try_ms(int ms)
{
    struct pollfd pollfd = {.fd = idle, .events = POLLIN};
    struct epoll_event event;
    printf("%d ms\n", ms);
    show("  poll", poll(&pollfd, 1, ms));
    show("  poll of nothing", poll(NULL, 0, ms));
    show("  epoll_wait", epoll_wait(epoll, &event, 1, ms));
    show("  epoll_pwait", epoll_pwait(epoll, &event, 1, ms, NULL));
}

static void try_select(const char *name, struct timeval *tv)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    struct timeval copy = tv ? *tv : (struct timeval){0, 0}, *used = tv ? &copy : NULL;
    printf("select %s\n", name);
    show("  with a descriptor", select(idle + 1, &set, NULL, NULL, used));
    copy = tv ? *tv : copy;
    show("  without", select(0, NULL, NULL, NULL, used));
    if (tv) {
        printf("  %s left\n", copy.tv_sec > 1000000000 ? "ages"
                              : copy.tv_sec > 2000     ? "long"
                                                       : "nothing");
    }
}

static void try_timespec(const char *name, const struct timespec *ts)
{
    struct pollfd pollfd = {.fd = idle, .events = POLLIN};
    struct epoll_event event;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    printf("timespec %s\n", name);
    show("  ppoll", ppoll(&pollfd, 1, ts, NULL));
    show("  ppoll of nothing", ppoll(NULL, 0, ts, NULL));
    show("  pselect", pselect(idle + 1, &set, NULL, NULL, ts, NULL));
    show("  pselect of nothing", pselect(0, NULL, NULL, NULL, ts, NULL));
    show("  epoll_pwait2", epoll_pwait2(epoll, &event, 1, ts, NULL));
    if (!ts) {
        return;
    }
    show("  nanosleep", nanosleep(ts, NULL));
    show("  thrd_sleep", thrd_sleep(ts, NULL));
    const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
        show("  relative", clock_nanosleep(clocks[i], 0, ts, NULL));
    }
    /* As an absolute time all of these lie ahead, since the clocks started in 1970 or later. */
    if ((int64_t)ts->tv_sec > INT64_C(9000000000)) {
        for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
            show("  absolute", clock_nanosleep(clocks[i], TIMER_ABSTIME, ts, NULL));
        }
    }
}

int main(void)
{
    idle = idle_fd();
    epoll = epoll_create1(0);
    handle(SIGUSR1, handler, 0);
    timer_t timer = signal_me(SIGUSR1, 8 * MS, 8 * MS);
    const int forever[] = {-1, -2, INT_MIN, INT_MAX, INT_MAX - 1};
    for (int i = 0; i < 5; i++) {
        try_ms(forever[i]);
    }
    try_select("NULL", NULL);
    try_select("{LONG_MAX, 999999}", &(struct timeval){TIME_MAX, 999999});
    try_select("{LONG_MAX, 1000000}", &(struct timeval){TIME_MAX, 1000000});
    try_select("{LONG_MAX - 1, 2147483647}", &(struct timeval){TIME_MAX - 1, 2147483647});
    try_select("{100000001, 0}", &(struct timeval){100000001, 0});
    try_select("{0, 2147483647}", &(struct timeval){0, 2147483647});
    try_timespec("NULL", NULL);
    try_timespec("{LONG_MAX, 999999999}", &(struct timespec){TIME_MAX, SEC - 1});
    try_timespec("{LONG_MAX / 1e9, 0}", &(struct timespec){TIME_MAX / SEC, 0});
    try_timespec("{LONG_MAX / 1e9, 999999999}", &(struct timespec){TIME_MAX / SEC, SEC - 1});
    try_timespec("{LONG_MAX / 1e9 + 1, 0}", &(struct timespec){TIME_MAX / SEC + 1, 0});
    try_timespec("{2^32, 0}", &(struct timespec){(time_t)(INT64_C(1) << 32), 0});
    try_timespec("{2^31, 1}", &(struct timespec){(time_t)(INT64_C(1) << 31), 1});
    show("usleep(-1)", usleep((useconds_t)-1));
    show("usleep(-5)", usleep((useconds_t)-5));
    printf("sleep(-1): %s\n", sleep(-1) > 4000000000U ? "ages left" : "wrapped");
    timer_delete(timer);
    return 0;
}
