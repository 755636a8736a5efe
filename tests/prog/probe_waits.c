/* probe_waits KIND COUNT NS: so many waits, each with its own lateness printed in ns. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int epoll;

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static struct timespec spec(long long ns)
{
    return (struct timespec){ns / 1000000000, ns % 1000000000};
}

static int wait_nanosleep(long long ns)
{
    struct timespec t = spec(ns);
    return nanosleep(&t, NULL);
}

static int wait_clock_nanosleep(long long ns)
{
    struct timespec t = spec(now() + ns);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static int wait_realtime(long long ns)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t = spec(t.tv_sec * 1000000000LL + t.tv_nsec + ns);
    return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
}

static int wait_poll(long long ns)
{
    return poll(NULL, 0, (int)(ns / 1000000));
}

static int wait_ppoll(long long ns)
{
    struct timespec t = spec(ns);
    return ppoll(NULL, 0, &t, NULL);
}

static int wait_select(long long ns)
{
    struct timeval t = {ns / 1000000000, ns / 1000 % 1000000};
    return select(0, NULL, NULL, NULL, &t);
}

static int wait_epoll(long long ns)
{
    struct epoll_event event;
    return epoll_wait(epoll, &event, 1, (int)(ns / 1000000));
}

static const struct {
    const char *name;
    int (*wait)(long long ns);
} kinds[] = {
    {"nanosleep", wait_nanosleep}, {"clock_nanosleep", wait_clock_nanosleep},
    {"realtime", wait_realtime},   {"poll", wait_poll},
    {"ppoll", wait_ppoll},         {"select", wait_select},
    {"epoll_wait", wait_epoll},
};

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    long count = atol(argv[2]);
    long long ns = atoll(argv[3]), *late = malloc((size_t)count * sizeof(*late));
    epoll = epoll_create1(EPOLL_CLOEXEC);
    for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++) {
        if (strcmp(kinds[k].name, argv[1]) != 0) {
            continue;
        }
        for (long i = 0; i < count; i++) {
            long long before = now();
            if (kinds[k].wait(ns) != 0) {
                return 1;
            }
            late[i] = now() - before - ns;
        }
        for (long i = 0; i < count; i++) {
            printf("%lld\n", late[i]);
        }
        return 0;
    }
    return 2;
}
