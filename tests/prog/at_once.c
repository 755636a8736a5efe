/*
 * at_once zero COUNT    COUNT waits of nothing by each call, idle and ready: results.
 * at_once past COUNT    COUNT absolute sleeps till a time that is past, on each clock: results.
 * at_once cost KIND     the fewest ns that a wait of nothing takes: the best of many short runs.
 * at_once calls KIND    ten waits of nothing between two getppid(), for strace to see.
 */
#include "waits.h"

#include <sys/syscall.h>

static void wait_zero(enum kind kind, int fd, int count, const char *what)
{
    struct waiter w = waiter_open(kind, fd);
    long sum = 0, errors = 0;
    for (int i = 0; i < count; i++) {
        errno = 77;
        int result = wait_for(&w, 0);
        sum += result;
        errors += errno != 77;
    }
    printf("%s, %s: %ld in all, errno touched %ld times\n", kinds[kind].name, what, sum, errors);
    waiter_close(&w);
}

static void zero(int count)
{
    int idle = idle_fd(), ready = ready_fd();
    for (int k = 0; k < KINDS; k++) {
        wait_zero((enum kind)k, idle, count, "idle");
        if (kinds[k].fds) {
            wait_zero((enum kind)k, ready, count, "ready");
            wait_zero((enum kind)k, -1, count, "nothing");
        }
    }
}

static void past(int count)
{
    const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME};
    const int64_t agos[] = {1, 1 * US, 1 * SEC, FOREVER};
    for (int c = 0; c < 3; c++) {
        for (int a = 0; a < 4; a++) {
            long sum = 0, errors = 0;
            for (int i = 0; i < count; i++) {
                int64_t then = agos[a] == FOREVER ? 0 : clock_ns(clocks[c]) - agos[a];
                struct timespec ts = {then / SEC, then % SEC}, rem = {77, 77};
                errno = 77;
                sum += clock_nanosleep(clocks[c], TIMER_ABSTIME, &ts, i % 2 ? &rem : NULL);
                errors += errno != 77 || rem.tv_sec != 77;
            }
            printf("clock %d: %ld in all, %ld touched\n", clocks[c], sum, errors);
        }
    }
}

static void cost(enum kind kind)
{
    struct waiter w = waiter_open(kind, idle_fd());
    int64_t best = FOREVER;
    for (int run = 0; run < 100; run++) {
        int64_t start = now_ns();
        for (int i = 0; i < 20; i++) {
            wait_for(&w, 0);
        }
        int64_t took = now_ns() - start;
        best = took < best ? took : best;
    }
    printf("%lld\n", (long long)best / 20);
}

static void calls(enum kind kind)
{
    struct waiter w = waiter_open(kind, idle_fd());
    wait_for(&w, 0);
    syscall(SYS_getppid);
    for (int i = 0; i < 10; i++) {
        wait_for(&w, 0);
    }
    syscall(SYS_getppid);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    int k = 0;
    while (k < KINDS && strcmp(kinds[k].name, argv[2]) != 0) {
        k++;
    }
    if (strcmp(argv[1], "zero") == 0) {
        zero(atoi(argv[2]));
    } else if (strcmp(argv[1], "past") == 0) {
        past(atoi(argv[2]));
    } else if (k == KINDS) {
        return 2;
    } else {
        strcmp(argv[1], "cost") == 0 ? cost((enum kind)k) : calls((enum kind)k);
    }
    return 0;
}
