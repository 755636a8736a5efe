#include "calls.h"

#include "clock.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

static __thread int idle, epoll;

static void wait_nanosleep(int64_t ns)
{
    struct timespec t = to_timespec(ns);
    nanosleep(&t, NULL);
}

static void wait_clock(int64_t ns)
{
    struct timespec t = to_timespec(ns);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void wait_realtime(int64_t ns)
{
    struct timespec t = to_timespec(ns);
    clock_nanosleep(CLOCK_REALTIME, 0, &t, NULL);
}

static void wait_absolute(int64_t ns)
{
    struct timespec t = to_timespec(now_ns() + ns);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

static void wait_usleep(int64_t ns)
{
    usleep((useconds_t)(ns / 1000));
}

static void wait_thrd(int64_t ns)
{
    struct timespec t = to_timespec(ns);
    thrd_sleep(&t, NULL);
}

static void wait_select(int64_t ns)
{
    struct timeval t = {.tv_sec = ns / SECOND, .tv_usec = ns % SECOND / 1000};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    select(idle + 1, &set, NULL, NULL, &t);
}

static void wait_pselect(int64_t ns)
{
    struct timespec t = to_timespec(ns);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(idle, &set);
    pselect(idle + 1, &set, NULL, NULL, &t, NULL);
}

static void wait_poll(int64_t ns)
{
    struct pollfd fd = {.fd = idle, .events = POLLIN};
    poll(&fd, 1, (int)(ns / 1000000));
}

static void wait_ppoll(int64_t ns)
{
    struct pollfd fd = {.fd = idle, .events = POLLIN};
    struct timespec t = to_timespec(ns);
    ppoll(&fd, 1, &t, NULL);
}

static void wait_epoll(int64_t ns)
{
    struct epoll_event event;
    epoll_wait(epoll, &event, 1, (int)(ns / 1000000));
}

static void wait_epoll_pwait(int64_t ns)
{
    struct epoll_event event;
    epoll_pwait(epoll, &event, 1, (int)(ns / 1000000), NULL);
}

static void wait_epoll_pwait2(int64_t ns)
{
    struct epoll_event event;
    struct timespec t = to_timespec(ns);
    epoll_pwait2(epoll, &event, 1, &t, NULL);
}

const struct timed_call timed_calls[] = {
    {"nanosleep", 1, wait_nanosleep},       {"clock_nanosleep", 1, wait_clock},
    {"clock_realtime", 1, wait_realtime},   {"clock_absolute", 1, wait_absolute},
    {"usleep", 1000, wait_usleep},          {"thrd_sleep", 1, wait_thrd},
    {"select", 1000, wait_select},          {"pselect", 1, wait_pselect},
    {"poll", 1000000, wait_poll},           {"ppoll", 1, wait_ppoll},
    {"epoll_wait", 1000000, wait_epoll},    {"epoll_pwait", 1000000, wait_epoll_pwait},
    {"epoll_pwait2", 1, wait_epoll_pwait2},
};
const int timed_call_count = sizeof(timed_calls) / sizeof(*timed_calls);

int timed_call_find(const char *name)
{
    for (int i = 0; i < timed_call_count; i++) {
        if (strcmp(timed_calls[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

void timed_calls_open(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    idle = eventfd(0, EFD_CLOEXEC);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (idle < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, idle, &event) != 0) {
        perror("idle descriptors");
        exit(1);
    }
}

int64_t timed_call_lateness(int call, int64_t ns)
{
    int64_t start = now_ns();
    timed_calls[call].wait(ns);
    return now_ns() - start - ns;
}
