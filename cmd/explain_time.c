/* Measured: what the clock costs, and how late the kernel ends waits. */
#include "explain.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

#define READS 20000
#define WAKES 40
#define POLLS 5
/* Long enough for a thousandth of it to stand out from a wake-up's own time. */
#define POLL_MS 200

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static uint64_t median(uint64_t *samples, size_t count)
{
    qsort(samples, count, sizeof(*samples), by_size);
    return samples[count / 2];
}

static uint64_t read_cost(bool by_kernel)
{
    struct timespec t;
    uint64_t start = now_ns();
    for (int i = 0; i < READS; i++) {
        if (by_kernel) {
            syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
        } else {
            clock_gettime(CLOCK_MONOTONIC, &t);
        }
    }
    return (now_ns() - start) / READS;
}

void explain_clock(struct grid *facts)
{
    char ns[NS_TEXT];
    struct timespec resolution = {0};
    char *source = explain_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    uint64_t cost = read_cost(false), by_kernel = read_cost(true);
    bool cheap = cost * 2 < by_kernel;
    explain_add(facts, "clock source",
                text_of("%s, %s a read", source ? source : "unknown", ns_text(cost, ns)),
                cheap ? "Read without a system call: a wait's deadline costs next to nothing."
                      : "Every read is a system call: each wait costs that much more, and exact "
                        "mode spins in coarser steps.",
                cost, "ns");
    explain_add(facts, "vDSO", getauxval(AT_SYSINFO_EHDR) ? "present" : "absent",
                getauxval(AT_SYSINFO_EHDR)
                    ? "The library reads the clock from it even where another preload fakes time."
                    : "The clock is read by system calls.",
                getauxval(AT_SYSINFO_EHDR) != 0, "present");
    clock_getres(CLOCK_MONOTONIC, &resolution);
    bool high = resolution.tv_sec == 0 && resolution.tv_nsec == 1;
    explain_add(facts, "high-resolution timers", high ? "on" : "off",
                high ? "Waits can end at any ns."
                     : "Waits end at ticks only: the library can't make them end on time here. "
                       "See the kernel's highres= parameter.",
                high, "on");
}

/* How late a sleep to an absolute time ends with the least slack: interrupt, idle exit, switch. */
static uint64_t wake_latency(void)
{
    uint64_t late[WAKES];
    for (int i = 0; i < WAKES; i++) {
        uint64_t until = now_ns() + 2000000;
        struct timespec t = {(time_t)(until / 1000000000), (long)(until % 1000000000)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
        late[i] = now_ns() - until;
    }
    return median(late, WAKES);
}

static uint64_t poll_lateness(void)
{
    uint64_t late[POLLS];
    for (int i = 0; i < POLLS; i++) {
        uint64_t until = now_ns() + POLL_MS * UINT64_C(1000000);
        poll(NULL, 0, POLL_MS);
        uint64_t now = now_ns();
        late[i] = now > until ? now - until : 0;
    }
    /* Another timer in the window ends a poll before its slack is used up: look above the middle.
     */
    median(late, POLLS);
    return late[POLLS * 3 / 4];
}

void explain_slack(struct grid *facts)
{
    char ns[NS_TEXT];
    int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
    uint64_t latency = wake_latency(), late = poll_lateness();
    prctl(PR_SET_TIMERSLACK, (unsigned long)slack, 0, 0, 0);
    uint64_t part = late > latency ? late - latency : 0;
    explain_add(facts, "timer slack", text_of("%s here", ns_text((uint64_t)slack, ns)),
                "Added to the end of every wait of programs started from here; the library sets "
                "1 ns unless somebody chose another value.",
                (uint64_t)slack, "ns");
    explain_add(facts, "proportional slack",
                text_of("%s of a poll of %d ms, %.2f %%", ns_text(part, ns), POLL_MS,
                        (double)part / (POLL_MS * 10000.0)),
                "What the kernel adds to select, poll and epoll on top, 0.1 % by its rule and "
                "0.5 % when niced; the library waits in two stages to be rid of it.",
                part, "ns");
    explain_add(facts, "wake-up latency", text_of("%s, median of %d", ns_text(latency, ns), WAKES),
                latency > 20000
                    ? "What is left in timer mode, mostly idle states and virtualisation; exact "
                      "mode wakes that much earlier and spins."
                    : "What is left in timer mode; exact mode gains little here.",
                latency, "ns");
}

void explain_calls(struct grid *facts)
{
    struct epoll_event event;
    struct timespec zero = {0};
    bool there = syscall(SYS_epoll_pwait2, -1, &event, 1, &zero, NULL, 0) >= 0 || errno != ENOSYS;
    explain_add(facts, "epoll_pwait2", there ? "present" : "absent",
                there ? "epoll waits end at any ns."
                      : "epoll waits are rounded up to whole ms (Linux 5.11 brought it).",
                there, "present");
}
