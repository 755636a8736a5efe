/*
 * tv_loops busy     A timeval of 0.5 s is set once, and select called with it until it says 0,
 * though a byte comes every 5 ms: it must end when the 0.5 s are over. tv_loops reused   A timeval
 * of 40 ms is set once, and select called with it five times.
 */
#include "waits.h"

#include <stdatomic.h>
#include <sys/socket.h>

static atomic_bool finished;

static void *keep_busy(void *fd)
{
    while (!finished) {
        usleep(5000);
        if (write(*(int *)fd, "x", 1) != 1) {
            break;
        }
    }
    return NULL;
}

static int select_one(int fd, struct timeval *tv)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return select(fd + 1, &set, NULL, NULL, tv);
}

static void busy(void)
{
    int fds[2], calls = 0, result;
    struct timeval tv = {0, 500000};
    pthread_t thread;
    char byte;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0) {
        abort();
    }
    pthread_create(&thread, NULL, keep_busy, &fds[1]);
    int64_t start = now_ns();
    while ((result = select_one(fds[0], &tv)) > 0 && now_ns() - start < 5 * SEC) {
        calls += read(fds[0], &byte, 1) == 1;
    }
    int64_t took = now_ns() - start;
    finished = true;
    pthread_join(thread, NULL);
    /* Each write-back is cut to whole microseconds, so up to one is lost with each call. */
    printf("%d, %s, after %s\n", result, calls > 10 ? "many bytes" : "few bytes",
           took < 500 * MS - calls * US ? "too short a time"
           : took < SEC                 ? "0.5 s"
                                        : "too long");
}

static void reused(void)
{
    struct timeval tv = {0, 40000};
    int fd = idle_fd(), results = 0;
    int64_t start = now_ns();
    for (int i = 0; i < 5; i++) {
        results += select_one(fd, &tv) != 0;
    }
    int64_t took = now_ns() - start;
    printf("%d other results, %s, timeval %s\n", results,
           took >= 200 * MS  ? "waited five times"
           : took >= 40 * MS ? "waited once"
                             : "waited too short",
           tv.tv_usec ? "kept" : "zero");
}

int main(int argc, char **argv)
{
    argc > 1 && strcmp(argv[1], "busy") == 0 ? busy() : reused();
    return 0;
}
