/* Sets of odd sizes: larger than fd_set, ending where the page ends, longer than the descriptor
 * table, with bits beyond nfds. Only the words that nfds covers may be touched. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE  4096
#define WORDS 64 /* 4096 bits */

static uint64_t *page_end; /* the first word of the page after, which isn't there */
static int ready_pipe[2], quiet_pipe[2];

static int words_for(int nfds)
{
    return (nfds + 63) / 64;
}

static bool has(const uint64_t *set, int fd)
{
    return set[fd / 64] >> (fd % 64) & 1;
}

/* One select on `fd` (none: -1) in a set that just covers nfds, at the end of the page. */
static void at_page_end(const char *what, int nfds, int fd, int us)
{
    struct timeval tv = {.tv_usec = us};
    uint64_t *set = page_end - words_for(nfds);
    memset(set, 0, (size_t)words_for(nfds) * 8);
    if (fd >= 0) {
        set[fd / 64] |= UINT64_C(1) << (fd % 64);
    }
    errno = 0;
    int n = select(nfds, (fd_set *)(void *)set, NULL, NULL, &tv);
    printf("%s, nfds %d, %d us: %d %s, bit %d\n", what, nfds, us, n,
           errno ? strerrorname_np(errno) : "", fd >= 0 ? has(set, fd) : 0);
}

static void ends_of_pages(void)
{
    static const int lengths[] = {0, 600, 12000};
    for (int l = 0; l < 3; l++) {
        at_page_end("ready", ready_pipe[0] + 1, ready_pipe[0], lengths[l]);
        at_page_end("ready", 64, ready_pipe[0], lengths[l]);
        at_page_end("ready", 65, ready_pipe[0], lengths[l]);
        at_page_end("quiet", 64, quiet_pipe[0], lengths[l]);
        at_page_end("quiet", 1000, quiet_pipe[0], lengths[l]);
        at_page_end("empty", 1024, -1, lengths[l]);
        at_page_end("none", 0, -1, lengths[l]);
        at_page_end("fd 3000", 3001, 3000, lengths[l]);
        at_page_end("fd 3000", 4096, 3000, lengths[l]);
        at_page_end("ready", 4096, ready_pipe[0], lengths[l]);
    }
}

/* Words past what nfds covers keep their value; bits past nfds in the last word are the kernel's.
 */
static void beyond(int nfds, bool ready, int us)
{
    struct timeval tv = {.tv_usec = us};
    uint64_t set[WORDS];
    memset(set, 0, sizeof(set));
    for (int i = words_for(nfds); i < WORDS; i++) {
        set[i] = UINT64_C(0x5a5a5a5a5a5a5a5a);
    }
    int fd = ready ? ready_pipe[0] : quiet_pipe[0];
    set[0] |= UINT64_C(1) << fd;
    if (nfds % 64) {
        set[nfds / 64] |= UINT64_C(1) << 63;
    }
    int n = select(nfds, (fd_set *)(void *)set, NULL, NULL, &tv);
    bool kept = true;
    for (int i = words_for(nfds); i < WORDS; i++) {
        kept &= set[i] == UINT64_C(0x5a5a5a5a5a5a5a5a);
    }
    printf("canaries, nfds %d, %d us: %d, words beyond %s, bit 63 %d\n", nfds, us, n,
           kept ? "kept" : "touched", nfds % 64 ? has(set, nfds / 64 * 64 + 63) : 0);
}

/* One word for a set, as programs older than fd_set have, and nfds for many: the kernel looks only
 * as far as the table of open descriptors goes. */
static void one_word(bool ready, int us)
{
    struct timeval tv = {.tv_usec = us};
    uint64_t words[WORDS];
    bool kept = true;
    memset(words, 0x5a, sizeof(words));
    words[0] = UINT64_C(1) << (ready ? ready_pipe[0] : quiet_pipe[0]);
    int n = select(FD_SETSIZE, (fd_set *)(void *)words, NULL, NULL, &tv);
    for (int i = 1; i < WORDS; i++) {
        kept &= words[i] == UINT64_C(0x5a5a5a5a5a5a5a5a);
    }
    printf("one word, %d us: %d, %d, the next ones %s\n", us, n, words[0] != 0,
           kept ? "kept" : "touched");
}

/* An ordinary fd_set at the end of a page and nfds = the table's limit. */
static void one_fd_set(bool ready, int us)
{
    struct timeval tv = {.tv_usec = us};
    fd_set *set = (fd_set *)(void *)(page_end - sizeof(fd_set) / 8);
    FD_ZERO(set);
    FD_SET(ready ? ready_pipe[0] : quiet_pipe[0], set);
    int n = select(getdtablesize(), set, NULL, NULL, &tv);
    printf("one fd_set, %d us: %d, %d\n", us, n, FD_ISSET(ready_pipe[0], set) != 0);
}

/* What lies behind an fd_set is other threads' to write to, whatever nfds may say. */
static struct {
    fd_set set;
    uint64_t theirs[WORDS];
} behind;

static void *write_behind(void *unused)
{
    const struct timespec later = {0, 15000000};
    nanosleep(&later, NULL);
    for (int i = 0; i < WORDS; i++) {
        __atomic_store_n(&behind.theirs[i], 7, __ATOMIC_RELAXED);
    }
    return unused;
}

static void changed_behind(void)
{
    struct timeval tv = {.tv_usec = 50000};
    pthread_t thread;
    bool kept = true;
    FD_SET(quiet_pipe[0], &behind.set);
    if (pthread_create(&thread, NULL, write_behind, NULL) != 0) {
        abort();
    }
    int n = select(getdtablesize(), &behind.set, NULL, NULL, &tv);
    pthread_join(thread, NULL);
    for (int i = 0; i < WORDS; i++) {
        kept &= behind.theirs[i] == 7;
    }
    printf("changed behind an fd_set: %d, %s\n", n, kept ? "kept" : "lost");
}

/* A child, whose table is as small as can be. */
static void with_small_table(void)
{
    static const int lengths[] = {0, 600, 12000};
    int status;
    closefrom(quiet_pipe[1] + 1);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (int l = 0; l < 6; l++) {
            one_word(l % 2, lengths[l / 2]);
            one_fd_set(l % 2, lengths[l / 2]);
        }
        changed_behind();
        fflush(stdout);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    printf("child: %d\n", status);
}

int main(void)
{
    struct rlimit limit = {5000, 5000};
    char *map = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || munmap(map + PAGE, PAGE) || setrlimit(RLIMIT_NOFILE, &limit) ||
        pipe(ready_pipe) || pipe(quiet_pipe) || write(ready_pipe[1], "x", 1) != 1) {
        return 2;
    }
    page_end = (uint64_t *)(void *)(map + PAGE);
    with_small_table();
    if (dup2(ready_pipe[0], 3000) != 3000) {
        return 2;
    }
    ends_of_pages();
    for (int us = 0; us < 20000; us += 6000) {
        beyond(20, true, us);
        beyond(64, false, us);
        beyond(65, false, us);
        beyond(1000, true, us);
        beyond(1024, false, us);
        beyond(1100, false, us);
    }
    return 0;
}
