/*
 * service_daemon KIND FILE: a daemon of the old kind, for units. Waits 100 ms at a time until it is
 * told to end by SIGTERM, then writes to FILE what it saw. KIND: select, poll; notify (tells the
 * manager that it is ready, then polls); fork (a parent that ends, as daemons do; the child polls).
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 100
#define MOST    1000

static volatile sig_atomic_t stop, hups, children;

static void handle(int number)
{
    if (number == SIGTERM) {
        stop = 1;
    } else if (number == SIGHUP) {
        hups++;
    } else {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
            children++;
        }
    }
}

static long long now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static int by_number(const void *a, const void *b)
{
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static int wait_once(int use_select, int fd)
{
    struct pollfd p = {fd, POLLIN, 0};
    struct timeval tv = {0, WAIT_MS * 1000};
    fd_set set;
    if (!use_select) {
        return poll(&p, 1, WAIT_MS);
    }
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return select(fd + 1, &set, NULL, NULL, &tv);
}

/* A name that begins with @ is in the abstract namespace. */
static void tell_ready(void)
{
    const char *name = getenv("NOTIFY_SOCKET");
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (!name || fd < 0 || strlen(name) >= sizeof(to.sun_path)) {
        exit(2);
    }
    strcpy(to.sun_path, name);
    if (*name == '@') {
        to.sun_path[0] = '\0';
    }
    if (sendto(fd, "READY=1", 7, 0, (struct sockaddr *)&to,
               (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name))) != 7) {
        exit(2);
    }
    close(fd);
}

/* The parent leaves the child's id in FILE.pid: without, the manager has to guess which of several
 * processes is meant. */
static void leave_to_child(const char *name)
{
    pid_t child = fork();
    if (child == 0) {
        return;
    }
    char path[4096];
    snprintf(path, sizeof(path), "%s.pid", name);
    FILE *file = fopen(path, "w");
    if (!file) {
        _exit(2);
    }
    fprintf(file, "%d\n", (int)child);
    fclose(file);
    _exit(0);
}

static void start_as(const char *kind, const char *file)
{
    if (strcmp(kind, "notify") == 0) {
        tell_ready();
    } else if (strcmp(kind, "fork") == 0) {
        leave_to_child(file);
    }
}

int main(int argc, char **argv)
{
    static long long late[MOST];
    int ends[2], waits = 0, early = 0, interrupted = 0;
    if (argc != 3 || pipe(ends) != 0) {
        return 2;
    }
    struct sigaction action = {.sa_handler = handle};
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    sigaction(SIGCHLD, &action, NULL);
    start_as(argv[1], argv[2]);
    if (fork() == 0) {
        _exit(0);
    }
    while (!stop && waits < MOST) {
        long long deadline = now() + WAIT_MS * 1000000LL;
        int n = wait_once(strcmp(argv[1], "select") == 0, ends[0]);
        long long over = now() - deadline;
        if (n == 0) {
            early += over < 0;
            late[waits++] = over;
        } else if (n < 0 && errno == EINTR) {
            interrupted++;
        }
    }
    qsort(late, (size_t)waits, sizeof(*late), by_number);
    FILE *file = fopen(argv[2], "w");
    if (!file) {
        return 2;
    }
    fprintf(file, "early=%d hups=%d children=%d interrupted=%s\nwaits=%d\nmedian=%lld\n", early,
            (int)hups, (int)children, interrupted ? "yes" : "no", waits,
            waits ? late[waits / 2] : 0);
    return fclose(file) != 0;
}
