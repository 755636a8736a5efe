/*
 * read_only [page]: select with a timeval that can't be written, in .rodata or (page) in a page
 * that was made read-only: idle, ready, interrupted, refused, and it stays as it was.
 */
#include "waits.h"

#include <sys/mman.h>

static const struct timeval rodata[2] = {{0, 30000}, {60, 0}};

static void handler(int signo)
{
    (void)signo;
}

static void try_one(const char *what, int fd, const struct timeval *tv)
{
    struct timeval before = *tv;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    int64_t start = now_ns();
    int result = select(fd + 1, &set, NULL, NULL, (struct timeval *)(uintptr_t)tv);
    bool early = result == 0 && now_ns() - start < tv->tv_sec * SEC + tv->tv_usec * US;
    printf("%s: %s%s%s\n", what, outcome(result), early ? " early" : "",
           memcmp(&before, tv, sizeof(before)) == 0 ? "" : ", written");
}

int main(int argc, char **argv)
{
    const struct timeval *tvs = rodata;
    (void)argv;
    if (argc > 1) {
        void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memcpy(page, rodata, sizeof(rodata));
        mprotect(page, 4096, PROT_READ);
        tvs = page;
    }
    int idle = idle_fd();
    handle(SIGUSR1, handler, 0);
    try_one("idle", idle, &tvs[0]);
    try_one("ready", ready_fd(), &tvs[1]);
    close(60); /* beyond the table, which may end at 64, it would be ignored */
    try_one("bad", 60, &tvs[1]);
    timer_t timer = signal_me(SIGUSR1, 30 * MS, 30 * MS);
    try_one("interrupted", idle, &tvs[1]);
    timer_delete(timer);
    return 0;
}
