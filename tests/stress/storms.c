/* The storms. Each starts its threads, lets them run until `over`, and ends them all. */
#include "storm.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MANY 1000

static pthread_t threads[MANY];
extern char **environ;

static int start(int count, void *(*body)(void *))
{
    pthread_attr_t small;
    int made = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    while (made < count && !pthread_create(&threads[made], &small, body, (void *)(long)made)) {
        made++;
    }
    pthread_attr_destroy(&small);
    return made;
}

static void join(int count)
{
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void pause_until_over(void)
{
    while (!over) {
        nanosleep(&(struct timespec){0, 20 * MS}, NULL);
    }
}

static void *wait_often(void *number)
{
    unsigned seed = (unsigned)(long)number;
    while (!over) {
        if (one_wait(dice(&seed, WAIT_KINDS), 50 * US + (long)dice(&seed, 12000) * US, -1) ==
            BY_ERROR) {
            fault("a wait failed: %s", strerror(errno));
        }
    }
    return NULL;
}

static void thousand(void)
{
    int made = start(MANY, wait_often);
    if (made < MANY) {
        fault("only %d threads", made);
    }
    pause_until_over();
    join(made);
}

static void handler(int number)
{
    int saved = errno;
    if (number == SIGUSR1) {
        nanosleep(&(struct timespec){0, 1}, NULL);
    }
    errno = saved;
}

/* 10,000 signals a second at eight waiting threads, half of which wait in the handler again. */
static void signals(void)
{
    struct sigaction sa = {.sa_handler = handler};
    unsigned seed = 1;
    sigaction(SIGUSR1, &sa, NULL);
    sa.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &sa, NULL);
    int made = start(8, wait_often);
    int64_t next = now();
    while (!over) {
        pthread_kill(threads[dice(&seed, (unsigned)made)], dice(&seed, 2) ? SIGUSR1 : SIGUSR2);
        next += 100 * US;
        struct timespec until = {next / S, next % S};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    join(made);
}

static void reap(pid_t child, int expected)
{
    int status = -1;
    if (child < 0) {
        fault("no child: %s", strerror(errno));
    } else if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
               WEXITSTATUS(status) != expected) {
        fault("a child ended with %x", (unsigned)status);
    }
}

static pid_t child_by_vfork(void)
{
    pid_t child = vfork();
    if (child == 0) {
        struct timespec ts = {0, 300 * US};
        nanosleep(&ts, NULL);
        _exit(3);
    }
    return child;
}

static void children(void)
{
    unsigned seed = 7;
    char *arguments[] = {"sleep", "0.002", NULL};
    int made = start(4, wait_often);
    while (!over) {
        pid_t child;
        switch (dice(&seed, 3)) {
        case 0:
            child = fork();
            if (child == 0) {
                one_wait(dice(&seed, WAIT_KINDS), 2 * MS, -1);
                _exit(early ? 4 : 3);
            }
            reap(child, 3);
            break;
        case 1:
            reap(child_by_vfork(), 3);
            break;
        default:
            reap(posix_spawnp(&child, "sleep", NULL, NULL, arguments, environ) ? -1 : child, 0);
        }
    }
    join(made);
}

static atomic_long begun, cleaned;

static void clean(void *unused)
{
    (void)unused;
    atomic_fetch_add(&cleaned, 1);
}

static void *wait_long(void *number)
{
    /* No epoll: its descriptor would be left open by the cancellation. */
    static const unsigned kinds[] = {0, 1, 2, 3, 7, 9, 10};
    pthread_cleanup_push(clean, NULL);
    atomic_fetch_add(&begun, 1);
    one_wait(kinds[(long)number % 7], 60 * S, -1);
    pthread_cleanup_pop(0);
    return NULL;
}

/* Cancelled at any moment: before the wait, while it begins, in it. */
static void cancellations(void)
{
    unsigned seed = 3;
    for (long i = 0; !over; i++) {
        pthread_t thread;
        void *status = NULL;
        if (pthread_create(&thread, NULL, wait_long, (void *)i)) {
            fault("no thread");
            return;
        }
        nanosleep(&(struct timespec){0, (long)dice(&seed, 600) * US}, NULL);
        pthread_cancel(thread);
        pthread_join(thread, &status);
        if (status != PTHREAD_CANCELED || cleaned != begun) {
            fault("a thread wasn't cancelled, or not cleaned up after");
        }
    }
    waits = begun;
}

struct closing {
    int fd;
    struct timespec after;
};

static void *close_later(void *closing)
{
    const struct closing *c = closing;
    nanosleep(&c->after, NULL);
    close(c->fd);
    return NULL;
}

/* Each thread waits on descriptors that another closes meanwhile, at either end. */
static void *wait_on_closing(void *number)
{
    unsigned seed = (unsigned)(long)number;
    while (!over) {
        int s[2];
        pthread_t thread;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, s)) {
            fault("no sockets: %s", strerror(errno));
            return NULL;
        }
        int end = (int)dice(&seed, 2);
        struct closing c = {s[end], {0, (long)dice(&seed, 3000) * US}};
        if (pthread_create(&thread, NULL, close_later, &c)) {
            fault("no thread");
            return NULL;
        }
        one_wait(dice(&seed, WAIT_KINDS), (long)dice(&seed, 15000) * US + US, s[0]);
        pthread_join(thread, NULL);
        close(s[1 - end]);
    }
    return NULL;
}

static void closing(void)
{
    int made = start(16, wait_on_closing);
    pause_until_over();
    join(made);
}

/* Every mapping and allocation fails now and then; waits must not. */
static void memory(void)
{
    struct rlimit old, tight;
    int made = start(8, wait_often);
    getrlimit(RLIMIT_AS, &old);
    tight = old;
    tight.rlim_cur = 1UL << 30;
    setrlimit(RLIMIT_AS, &tight);
    while (!over) {
        void *blocks[256];
        int n = 0;
        while (n < 256 && (blocks[n] = malloc(8 << 20))) {
            memset(blocks[n++], 1, 1 << 20);
        }
        while (n > 0) {
            free(blocks[--n]);
        }
        nanosleep(&(struct timespec){0, MS}, NULL);
    }
    setrlimit(RLIMIT_AS, &old);
    join(made);
}

static void hogged(void)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    pid_t hog[64];
    for (long i = 0; i < cpus && i < 64; i++) {
        hog[i] = fork();
        if (hog[i] == 0) {
            alarm(600); /* should nobody end it */
            for (;;) {
            }
        }
    }
    int made = start(8, wait_often);
    pause_until_over();
    join(made);
    for (long i = 0; i < cpus && i < 64; i++) {
        kill(hog[i], SIGKILL);
        waitpid(hog[i], NULL, 0);
    }
}

const struct storm storms[] = {{"threads", thousand},  {"signals", signals},
                               {"children", children}, {"cancellations", cancellations},
                               {"closing", closing},   {"memory", memory},
                               {"hogs", hogged},       {NULL, NULL}};
