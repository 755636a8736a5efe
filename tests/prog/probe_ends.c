/*
 * probe_ends: one wait of each end, in the order of the probe's counters: completed, past, woken
 * early, interrupted; and those that set no timer: EINVAL, zero, infinite, ready at once.
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void ring(int signal)
{
    (void)signal;
}

static void write_later(int fd)
{
    if (fork() == 0) {
        struct timespec t = {0, 30000000};
        nanosleep(&t, NULL); /* a wait of the child: one more that completes */
        _exit(write(fd, "x", 1) != 1);
    }
}

int main(void)
{
    char byte;
    int ends[2];
    struct timespec t = {0, 1000000}, past = {1, 0}, bad = {0, 1000000000};
    struct sigaction action = {.sa_handler = ring};
    assert(pipe(ends) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    struct pollfd fd = {ends[0], POLLIN, 0};

    assert(nanosleep(&t, NULL) == 0);
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL) == 0);
    write_later(ends[1]);
    assert(poll(&fd, 1, 20000) == 1);
    assert(poll(&fd, 1, 20000) == 1); /* ready at once */
    assert(read(ends[0], &byte, 1) == 1);
    write_later(ends[1]);
    assert(poll(&fd, 1, -1) == 1); /* infinite */
    assert(read(ends[0], &byte, 1) == 1);
    assert(poll(&fd, 1, 0) == 0);
    assert(nanosleep(&bad, NULL) == -1 && errno == EINVAL);
    struct itimerval timer = {{0, 0}, {0, 30000}};
    t.tv_sec = 20;
    setitimer(ITIMER_REAL, &timer, NULL);
    assert(nanosleep(&t, NULL) == -1 && errno == EINTR);
    setitimer(ITIMER_REAL, &timer, NULL);
    assert(poll(&fd, 1, 20000) == -1 && errno == EINTR);
    while (wait(NULL) > 0) {
    }
    return 0;
}
