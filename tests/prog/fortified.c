/* poll and ppoll as a fortified program calls them, with an array that is large enough and with one
 * that isn't: then libc says so and aborts. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int quiet[2];

/* The compiler mustn't know the count, else it judges by itself. */
static nfds_t count_of(int n)
{
    volatile nfds_t count = (nfds_t)n;
    return count;
}

static int checked_poll(int n, int ms)
{
    struct pollfd fds[2] = {{.fd = quiet[0], .events = POLLIN}, {.fd = -1}};
    return poll(fds, count_of(n), ms);
}

static int checked_ppoll(int n, int ms)
{
    struct pollfd fds[2] = {{.fd = quiet[0], .events = POLLIN}, {.fd = -1}};
    struct timespec ts = {.tv_nsec = ms * 1000000L};
    return ppoll(fds, count_of(n), &ts, NULL);
}

static void in_child(const char *name, int (*call)(int, int), int n)
{
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        _exit(call(n, 20));
    }
    waitpid(pid, &status, 0);
    printf("%s of %d: exit %d, signal %d\n", name, n, WEXITSTATUS(status), WTERMSIG(status));
}

int main(void)
{
    if (pipe(quiet)) {
        return 2;
    }
    for (int n = 0; n < 4; n++) {
        in_child("poll", checked_poll, n);
        in_child("ppoll", checked_ppoll, n);
    }
    return 0;
}
