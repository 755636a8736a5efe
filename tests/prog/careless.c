/* careless HOW: waits the way that public reports are about, so that it can be noticed. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void nothing(int signal)
{
    (void)signal;
}

static void ticks(long us)
{
    const struct sigaction action = {.sa_handler = nothing};
    const struct itimerval every = {{0, us}, {0, us}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void zero_burst(void)
{
    int ends[2];
    if (pipe(ends) == 0) {
        struct pollfd fd = {.fd = ends[0], .events = POLLIN};
        for (int i = 0; i < 1000; i++) {
            poll(&fd, 1, 0);
        }
    }
}

static void rearmed(void)
{
    ticks(20000);
    for (int i = 0; i < 10 && poll(NULL, 0, 200) < 0; i++) {
    }
}

static void cut_short(void)
{
    ticks(10000);
    for (int i = 0; i < 10; i++) {
        usleep(500000);
    }
}

static void invalid(void)
{
    const struct timespec bad = {0, 1000000000};
    for (int i = 0; i < 10; i++) {
        nanosleep(&bad, NULL);
    }
}

static void absurd(void)
{
    ticks(20000);
    usleep((useconds_t)-5);
}

static void zeroed(void)
{
    struct timeval tv = {0, 1000};
    for (int i = 0; i < 11; i++) {
        select(0, NULL, NULL, NULL, &tv);
    }
}

static void hung_up(void)
{
    int ends[2];
    if (pipe(ends) == 0) {
        struct pollfd fd = {.fd = ends[0], .events = 0};
        close(ends[1]);
        for (int i = 0; i < 1000; i++) {
            poll(&fd, 1, 1000);
        }
    }
}

/* As it should be: nothing of this is worth a word. */
static void careful(void)
{
    const struct timespec ms = {0, 1000000};
    struct pollfd fd = {.fd = 0, .events = 0};
    for (int i = 0; i < 50; i++) {
        struct timeval tv = {0, 1000};
        nanosleep(&ms, NULL);
        select(0, NULL, NULL, NULL, &tv);
        poll(&fd, 0, 1);
        poll(&fd, 0, 0);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"zero_burst", zero_burst}, {"rearmed", rearmed}, {"cut_short", cut_short},
                {"invalid", invalid},       {"absurd", absurd},   {"zeroed_timeval", zeroed},
                {"hung_up", hung_up},       {"careful", careful}};
    for (size_t i = 0; argc == 2 && i < sizeof(ways) / sizeof(*ways); i++) {
        if (strcmp(argv[1], ways[i].name) == 0) {
            ways[i].run();
            return 0;
        }
    }
    return 2;
}
