/*
 * cost WHAT COUNT ROUNDS ATTACH DETACH: the thread's CPU time in ns of a call, a line a round:
 * without, with, without again. All in one process, since processes differ among themselves.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void call_getppid(void)
{
    syscall(SYS_getppid);
}

static void call_nanosleep(void)
{
    nanosleep(&(struct timespec){0, 1000}, NULL);
}

static void call_poll(void)
{
    poll(NULL, 0, 0);
}

static double cost(void (*call)(void), long count)
{
    double before = cpu();
    for (long i = 0; i < count; i++) {
        call();
    }
    return (cpu() - before) / (double)count;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        return 2;
    }
    void (*call)(void) = strcmp(argv[1], "getppid") == 0     ? call_getppid
                         : strcmp(argv[1], "nanosleep") == 0 ? call_nanosleep
                                                             : call_poll;
    long count = atol(argv[2]);
    prctl(PR_SET_TIMERSLACK, 1);
    cost(call, count);
    for (int rounds = atoi(argv[3]); rounds > 0; rounds--) {
        double off = cost(call, count);
        if (system(argv[4]) != 0) {
            return 1;
        }
        double on = cost(call, count);
        if (system(argv[5]) != 0) {
            return 1;
        }
        printf("%.1f %.1f %.1f\n", off, on, cost(call, count));
    }
    return 0;
}
