/* What select counts and when it blocks: one descriptor in all sets, a hung-up pipe that is asked
 * for what it can't be, a poll for nothing on it. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static long cpu_us(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000L + u.ru_utime.tv_usec +
           u.ru_stime.tv_usec;
}

static long now_us(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000L + ts.tv_nsec / 1000;
}

static void in_all_sets(int fd, const char *what)
{
    fd_set sets[3];
    struct timeval tv = {.tv_usec = 20000};
    memset(sets, 0, sizeof(sets));
    for (int s = 0; s < 3; s++) {
        FD_SET(fd, &sets[s]);
    }
    int n = select(fd + 1, &sets[0], &sets[1], &sets[2], &tv);
    printf("%s in all three: %d, bits %d%d%d\n", what, n, FD_ISSET(fd, &sets[0]) != 0,
           FD_ISSET(fd, &sets[1]) != 0, FD_ISSET(fd, &sets[2]) != 0);
}

/* 400 ms: spinning through even a tenth of it would show in the CPU time. */
static void blocks(int fd, int set, const char *what)
{
    fd_set sets[3];
    struct timeval tv = {.tv_usec = 400000};
    memset(sets, 0, sizeof(sets));
    FD_SET(fd, &sets[set]);
    long cpu = cpu_us(), start = now_us();
    int n = select(fd + 1, &sets[0], &sets[1], &sets[2], &tv);
    long spent = now_us() - start;
    cpu = cpu_us() - cpu;
    printf("%s in set %d: %d, %s, %s\n", what, set, n, spent >= 400000 ? "blocked" : "didn't block",
           cpu < 20000 ? "without CPU" : "burning CPU");
}

static void polled_for_nothing(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = 0, .revents = 0x55};
    long start = now_us();
    int n = poll(&p, 1, ms);
    printf("poll for nothing, %d ms: %d, revents %#x, %s\n", ms, n, (unsigned)p.revents,
           now_us() - start < 2000000 ? "at once" : "late");
}

int main(void)
{
    int hung_up[2], pair[2], ends[2];
    if (pipe(hung_up) || pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
        write(pair[1], "x", 1) != 1 || write(ends[1], "x", 1) != 1) {
        return 2;
    }
    close(hung_up[1]);
    in_all_sets(pair[0], "socket with data");
    in_all_sets(ends[0], "pipe with data");
    in_all_sets(hung_up[0], "hung-up pipe");
    in_all_sets(0, "stdin");
    blocks(hung_up[0], 1, "hung-up pipe");
    blocks(hung_up[0], 2, "hung-up pipe");
    polled_for_nothing(hung_up[0], 5000);
    polled_for_nothing(hung_up[0], -1);
    polled_for_nothing(hung_up[0], 0);
    return 0;
}
