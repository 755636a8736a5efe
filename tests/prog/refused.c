/* refused: what each call answers to arguments that it doesn't take, or takes in its own way. */
#include "waits.h"

#include <sys/resource.h>

static int idle, epoll;

static void handler(int signo)
{
    (void)signo;
}

static void show(const char *call, const char *what, int result)
{
    printf("%s %s: %d", call, what, result);
    printf(result == -1 ? " %s\n" : "\n", strerrorname_np(errno));
}

struct bad_time {
    const char *name;
    struct timespec ts;
};

static const struct bad_time bad_times[] = {
    {"{0, 1e9}", {0, SEC}},
    {"{0, -1}", {0, -1}},
    {"{1, -1}", {1, -1}},
    {"{-1, 0}", {-1, 0}},
    {"{-1, 999999999}", {-1, SEC - 1}},
    {"{LONG_MIN, 0}", {LONG_MIN, 0}},
    {"{0, LONG_MAX}", {0, LONG_MAX}},
    {"{0, LONG_MIN}", {0, LONG_MIN}},
    {"{0, 2^32}", {0, (long)(INT64_C(1) << 32)}},
    {"{LONG_MAX, 1e9}", {LONG_MAX, SEC}},
};

static void try_bad_time(const char *name, const struct timespec *ts)
{
    struct pollfd pollfd = {.fd = idle, .events = POLLIN};
    struct epoll_event event;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    show("nanosleep", name, nanosleep(ts, NULL));
    show("thrd_sleep", name, thrd_sleep(ts, NULL) == 0 ? 0 : 1);
    const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI};
    for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
        show("clock_nanosleep", name, clock_nanosleep(clocks[i], 0, ts, NULL));
        show("absolute", name, clock_nanosleep(clocks[i], TIMER_ABSTIME, ts, NULL));
    }
    show("ppoll", name, ppoll(&pollfd, 1, ts, NULL));
    show("ppoll without descriptors", name, ppoll(NULL, 0, ts, NULL));
    show("pselect", name, pselect(idle + 1, &set, NULL, NULL, ts, NULL));
    show("pselect without descriptors", name, pselect(0, NULL, NULL, NULL, ts, NULL));
    show("epoll_pwait2", name, epoll_pwait2(epoll, &event, 1, ts, NULL));
}

static void try_timeval(const char *name, int64_t sec, int64_t us)
{
    struct timeval tv = {(time_t)sec, (suseconds_t)us};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    show("select", name, select(idle + 1, &set, NULL, NULL, &tv));
    printf("  %lld %lld, set %s\n", (long long)tv.tv_sec, (long long)tv.tv_usec,
           FD_ISSET(idle, &set) ? "untouched" : "cleared");
}

/* Every clock there may be, a millisecond each; those that can't move are ended by a signal. */
static void try_clocks(void)
{
    static const int flags[] = {0, TIMER_ABSTIME, 2, 3, 4, 0x100, INT_MIN, -1};
    char what[40];
    for (clockid_t clock = -9; clock < 16; clock++) {
        /* CPU clocks hardly move here, and have no known reading. */
        bool cpu_clock = clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID;
        const struct timespec ts = {cpu_clock ? 1000 : 0, MS};
        timer_t timer = signal_me(SIGUSR1, cpu_clock ? 20 * MS : 1000 * SEC, 20 * MS);
        for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
            snprintf(what, sizeof(what), "clock %d flags %d", clock, flags[i]);
            errno = 77;
            int result = clock_nanosleep(clock, flags[i], &ts, NULL);
            printf("%s: %d, errno %d\n", what, result, errno);
        }
        timer_delete(timer);
    }
}

static void try_counts(void)
{
    struct epoll_event event;
    struct timespec ts = {0, 20 * MS};
    struct timeval tv = {0, 20000};
    static const int counts[] = {0, -1, INT_MIN, INT_MAX};
    static const int epolls[] = {-1, 0, 999};
    for (int i = 0; i < 4; i++) {
        show("epoll_wait", "maxevents", epoll_wait(epoll, &event, counts[i], 20));
        show("epoll_pwait", "maxevents", epoll_pwait(epoll, &event, counts[i], 20, NULL));
        show("epoll_pwait2", "maxevents", epoll_pwait2(epoll, &event, counts[i], &ts, NULL));
    }
    for (int i = 0; i < 3; i++) {
        int fd = epolls[i] ? epolls[i] : idle;
        show("epoll_wait", "descriptor", epoll_wait(fd, &event, 1, 20));
        show("epoll_pwait", "descriptor", epoll_pwait(fd, &event, 1, 20, NULL));
        show("epoll_pwait2", "descriptor", epoll_pwait2(fd, &event, 1, &ts, NULL));
    }
    show("select", "nfds -1", select(-1, NULL, NULL, NULL, &tv));
    show("select", "nfds INT_MIN", select(INT_MIN, NULL, NULL, NULL, &tv));
    show("pselect", "nfds -1", pselect(-1, NULL, NULL, NULL, &ts, NULL));
}

/* More descriptors than the process may have: poll refuses, select doesn't mind. */
static void try_limit(void)
{
    static struct pollfd pollfds[200];
    volatile nfds_t many = (nfds_t)-1; /* the compiler would object */
    struct rlimit limit = {100, 100};
    struct timespec ts = {0, 20 * MS};
    struct timeval tv = {0, 20000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    for (int i = 0; i < 200; i++) {
        pollfds[i] = (struct pollfd){.fd = -1, .events = POLLIN};
    }
    setrlimit(RLIMIT_NOFILE, &limit);
    show("poll", "as many as the limit", poll(pollfds, 100, 20));
    show("poll", "more than the limit", poll(pollfds, 101, 20));
    show("poll", "far more", poll(pollfds, many, 20));
    show("ppoll", "as many as the limit", ppoll(pollfds, 100, &ts, NULL));
    show("ppoll", "more than the limit", ppoll(pollfds, 101, &ts, NULL));
    show("select", "more than the limit", select(200, &set, NULL, NULL, &tv));
    show("select", "1024", select(1024, NULL, NULL, NULL, &tv));
    FD_SET(idle, &set);
    show("pselect", "more than the limit", pselect(200, &set, NULL, NULL, &ts, NULL));
}

int main(void)
{
    idle = idle_fd();
    epoll = epoll_create1(0);
    handle(SIGUSR1, handler, 0);
    timer_t timer = signal_me(SIGUSR1, 500 * MS, 100 * MS);
    for (size_t i = 0; i < sizeof(bad_times) / sizeof(*bad_times); i++) {
        try_bad_time(bad_times[i].name, &bad_times[i].ts);
    }
    timer_delete(timer);
    try_timeval("{-1, 0}", -1, 0);
    try_timeval("{0, -1}", 0, -1);
    try_timeval("{1, -1}", 1, -1);
    try_timeval("{-1, 1500000}", -1, 1500000);
    try_timeval("{LONG_MIN, LONG_MIN}", LONG_MIN, LONG_MIN);
    try_timeval("{0, 2^31}", 0, INT64_C(1) << 31);
    try_timeval("{0, 2^32 + 1000}", 0, (INT64_C(1) << 32) + 1000);
    try_timeval("{0, 2^32}", 0, INT64_C(1) << 32);
    try_clocks();
    try_counts();
    try_limit();
    return 0;
}
