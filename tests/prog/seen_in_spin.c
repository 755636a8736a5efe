/*
 * seen_in_spin ROUNDS: another thread writes a byte shortly before each deadline. A byte that was
 * there a while before the deadline must be reported. Prints the rounds in which it wasn't.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS 2000000
#define SOON_NS 60000 /* what a look and the write's own way may take */

static int fds[2];
static atomic_llong deadline, written;

static long long now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* Writes at 1 to 250 us before each deadline. */
static void *writer(void *arg)
{
    long long last = 0;
    unsigned seed = 1;
    (void)arg;
    for (;;) {
        long long due = atomic_load(&deadline);
        if (due < 0) {
            return NULL;
        }
        if (due == last) {
            continue;
        }
        last = due;
        seed = seed * 1103515245 + 12345;
        long long at = due - 1000 - (seed >> 8) % 250000;
        while (now() < at) {
        }
        if (write(fds[1], "x", 1) == 1) {
            atomic_store(&written, now());
        }
    }
}

static int wait_once(int kind)
{
    struct timespec ts = {0, WAIT_NS};
    struct timeval tv = {0, WAIT_NS / 1000};
    struct pollfd p = {.fd = fds[0], .events = POLLIN};
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fds[0], &set);
    switch (kind) {
    case 0:
        return poll(&p, 1, WAIT_NS / 1000000);
    case 1:
        return ppoll(&p, 1, &ts, NULL);
    case 2:
        return select(fds[0] + 1, &set, NULL, NULL, &tv);
    default:
        return pselect(fds[0] + 1, &set, NULL, NULL, &ts, NULL);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"poll", "ppoll", "select", "pselect"};
    int rounds = argc > 1 ? atoi(argv[1]) : 100;
    pthread_t thread;
    if (pipe(fds) != 0 || pthread_create(&thread, NULL, writer, NULL) != 0) {
        return 1;
    }
    for (int kind = 0; kind < 4; kind++) {
        int missed = 0;
        for (int i = 0; i < rounds; i++) {
            char byte;
            atomic_store(&written, 0);
            long long due = now() + WAIT_NS;
            atomic_store(&deadline, due);
            int r = wait_once(kind);
            long long when;
            while (!(when = atomic_load(&written))) {
            }
            missed += r == 0 && when < due - SOON_NS;
            if (read(fds[0], &byte, 1) != 1) {
                return 1;
            }
        }
        printf("%s: %d missed\n", names[kind], missed);
    }
    atomic_store(&deadline, -1);
    pthread_join(thread, NULL);
    return 0;
}
