/* cost WHAT COUNT: the thread's CPU time in ns that one call takes. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long long cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
    struct timespec us = {0, 1000};
    if (argc != 3) {
        return 2;
    }
    long count = atol(argv[2]);
    prctl(PR_SET_TIMERSLACK, 1);
    long long before = cpu();
    for (long i = 0; i < count; i++) {
        if (strcmp(argv[1], "getppid") == 0) {
            syscall(SYS_getppid);
        } else if (strcmp(argv[1], "nanosleep") == 0) {
            nanosleep(&us, NULL);
        } else {
            poll(NULL, 0, 0);
        }
    }
    printf("%lld\n", (cpu() - before) / count);
    return 0;
}
