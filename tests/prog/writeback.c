/*
 * writeback libc|raw: each way out of select, pselect and ppoll: the result, what became of the
 * timeout and of every byte of the descriptor sets. `raw` makes the system calls itself.
 */
#include "waits.h"

#include <sys/syscall.h>

enum { WORDS = 64 }; /* of a set, so four times as many descriptors as an fd_set has */

#define PATTERN UINT64_C(0xa5a5a5a5a5a5a5a5)

struct sets {
    uint64_t in[WORDS], out[WORDS], except[WORDS];
};

static bool raw;
static int idle, ready, hung_up;
static struct sets sets;
static struct pollfd pollfd;

static void handler(int signo)
{
    (void)signo;
}

/* What a timeout became, as far as it is the same each time. */
static const char *became(struct timespec asked, struct timespec now, long units)
{
    if (now.tv_sec == asked.tv_sec && now.tv_nsec == asked.tv_nsec) {
        return "unchanged";
    }
    if (now.tv_sec == 0 && now.tv_nsec == 0) {
        return "zero";
    }
    if (now.tv_sec < 0 || now.tv_nsec < 0 || now.tv_nsec >= units) {
        return "malformed";
    }
    int64_t whole = asked.tv_sec + asked.tv_nsec / units;
    long parts = asked.tv_nsec % units;
    if (now.tv_sec > whole || (now.tv_sec == whole && now.tv_nsec > parts)) {
        return "more";
    }
    return now.tv_sec >= whole - 2 || (int64_t)now.tv_sec > INT_MAX ? "a little less" : "much less";
}

/* The words that aren't as they were filled: how many are zero, and the others. */
static void show_words(const char *name, const uint64_t *words)
{
    int zeros = 0;
    printf(" %s", name);
    for (int i = 0; i < WORDS; i++) {
        if (words[i] == 0) {
            zeros++;
        } else if (words[i] != PATTERN) {
            printf(" %d:%llx", i, (unsigned long long)words[i]);
        }
    }
    printf(" (%d zero)", zeros);
}

static void show(const char *what, const char *call, int result, const char *timeout)
{
    printf("%s, %s: %s", what, call, outcome(result));
    if (strcmp(call, "ppoll") == 0) {
        printf(" revents %x", pollfd.revents);
    } else {
        show_words("in", sets.in);
        show_words("out", sets.out);
        show_words("except", sets.except);
    }
    printf("; tv %s\n", timeout);
}

/* The words that nfds reaches ask for one descriptor or none; those beyond it hold a pattern. */
static void fill(int nfds, int in, int out, int except)
{
    memset(&sets, 0xa5, sizeof(sets));
    for (int i = 0; i < (nfds + 63) / 64; i++) {
        sets.in[i] = sets.out[i] = sets.except[i] = 0;
    }
    if (in >= 0) {
        sets.in[in / 64] |= UINT64_C(1) << in % 64;
    }
    if (out >= 0) {
        sets.out[out / 64] |= UINT64_C(1) << out % 64;
    }
    if (except >= 0) {
        sets.except[except / 64] |= UINT64_C(1) << except % 64;
    }
}

static int call_select(int nfds, struct timeval *tv)
{
#ifdef __x86_64__ /* elsewhere it takes other arguments or isn't there */
    if (raw) {
        return syscall(SYS_select, nfds, sets.in, sets.out, sets.except, tv);
    }
#endif
    return select(nfds, (fd_set *)sets.in, (fd_set *)sets.out, (fd_set *)sets.except, tv);
}

static int call_pselect(int nfds, struct timespec *ts)
{
    if (raw) {
        return syscall(SYS_pselect6, nfds, sets.in, sets.out, sets.except, ts, NULL);
    }
    return pselect(nfds, (fd_set *)sets.in, (fd_set *)sets.out, (fd_set *)sets.except, ts, NULL);
}

static int call_ppoll(struct timespec *ts)
{
    return raw ? syscall(SYS_ppoll, &pollfd, 1, ts, NULL, 8) : ppoll(&pollfd, 1, ts, NULL);
}

struct situation {
    const char *name;
    int nfds, in, out, except;
    long sec, us;
    bool signal;
};

static void try_select(const struct situation *s, bool with_timespec)
{
    struct timeval tv = {s->sec, s->us};
    struct timespec ts = {s->sec, s->us * 1000}, asked = {s->sec, s->us};
    timer_t timer = 0;
    int result;
    fill(s->nfds, s->in, s->out, s->except);
    if (s->signal) {
        timer = signal_me(SIGUSR1, 30 * MS, 30 * MS);
    }
    if (with_timespec) {
        asked = ts;
        result = call_pselect(s->nfds, &ts);
    } else {
        result = call_select(s->nfds, &tv);
        ts = (struct timespec){tv.tv_sec, tv.tv_usec};
    }
    int error = errno;
    if (s->signal) {
        timer_delete(timer);
    }
    errno = error;
    show(s->name, with_timespec ? "pselect" : "select", result,
         became(asked, ts, with_timespec ? SEC : 1000000));
}

static void try_ppoll(const struct situation *s)
{
    struct timespec ts = {s->sec, s->us * 1000}, asked = ts;
    timer_t timer = 0;
    pollfd = (struct pollfd){.fd = s->in, .events = POLLIN};
    if (s->signal) {
        timer = signal_me(SIGUSR1, 30 * MS, 30 * MS);
    }
    int result = call_ppoll(&ts);
    int error = errno;
    if (s->signal) {
        timer_delete(timer);
    }
    errno = error;
    show(s->name, "ppoll", result, became(asked, ts, SEC));
}

static void try_all(const struct situation *s)
{
    try_select(s, false);
    try_select(s, true);
    try_ppoll(s);
}

static void *write_later(void *fd)
{
    usleep(30000);
    return write(*(int *)fd, "x", 1) == 1 ? NULL : fd;
}

static void ready_later(void)
{
    for (int call = 0; call < 3; call++) {
        int fds[2];
        pthread_t thread;
        if (pipe(fds) != 0) {
            abort();
        }
        struct situation s = {"ready after 30 ms", fds[0] + 1, fds[0], -1, fds[0], 60, 0, false};
        pthread_create(&thread, NULL, write_later, &fds[1]);
        call == 0 ? try_select(&s, false) : call == 1 ? try_select(&s, true) : try_ppoll(&s);
        pthread_join(thread, NULL);
        close(fds[0]);
        close(fds[1]);
    }
}

static void make_descriptors(void)
{
    int fds[2];
    dup2(idle_fd(), 40);
    dup2(ready_fd(), 41);
    if (pipe(fds) != 0) {
        abort();
    }
    dup2(fds[0], 42);
    close(fds[0]);
    close(fds[1]);
    idle = 40, ready = 41, hung_up = 42;
}

int main(int argc, char **argv)
{
    raw = argc > 1 && strcmp(argv[1], "raw") == 0;
    handle(SIGUSR1, handler, SA_RESTART);
    make_descriptors();
    const struct situation situations[] = {
        {"timeout", idle + 1, idle, -1, idle, 0, 20000, false},
        {"timeout in two stages", idle + 1, idle, -1, idle, 0, 120000, false},
        {"zero", idle + 1, idle, -1, idle, 0, 0, false},
        {"ready at once", ready + 1, ready, -1, idle, 60, 0, false},
        {"ready and zero", ready + 1, ready, -1, idle, 0, 0, false},
        {"interrupted", idle + 1, idle, -1, idle, 60, 0, true},
        {"interrupted, short", idle + 1, idle, -1, idle, 1, 999999, true},
        {"no descriptors", 0, -1, -1, -1, 0, 20000, false},
        {"no descriptors, interrupted", 0, -1, -1, -1, 60, 0, true},
        {"bad descriptor", 48, 47, -1, idle, 60, 0, false},
        {"bad descriptor and zero", 48, 47, -1, idle, 0, 0, false},
        {"negative seconds", idle + 1, idle, -1, -1, -1, 0, false},
        {"negative parts", idle + 1, idle, -1, -1, 1, -1, false},
        {"very long, ready", ready + 1, ready, -1, -1, LONG_MAX, 999999, false},
        {"very long, interrupted", idle + 1, idle, -1, -1, LONG_MAX, 999999, true},
    };
    for (size_t i = 0; i < sizeof(situations) / sizeof(*situations); i++) {
        try_all(&situations[i]);
    }
    ready_later();
    /* What select alone can be asked, or answers otherwise. */
    const struct situation selects[] = {
        {"negative nfds", -1, -1, -1, -1, 60, 0, false},
        {"very many", 4000, ready, -1, idle, 60, 0, false},
        {"very many, timeout", 4000, idle, -1, idle, 0, 20000, false},
        {"very many, interrupted", 4000, idle, -1, idle, 60, 0, true},
        {"hung up, for writing only", hung_up + 1, -1, hung_up, -1, 0, 20000, false},
        {"hung up, for exceptions only", hung_up + 1, -1, -1, hung_up, 0, 20000, false},
        {"hung up, interrupted", hung_up + 1, -1, hung_up, hung_up, 60, 0, true},
        {"ready thrice", ready + 1, ready, ready, ready, 60, 0, false},
    };
    for (size_t i = 0; i < sizeof(selects) / sizeof(*selects); i++) {
        try_select(&selects[i], false);
        try_select(&selects[i], true);
    }
    const struct situation select_only[] = {
        {"ready at once, 1 us", ready + 1, ready, -1, idle, 0, 1, false},
        {"many microseconds, ready", ready + 1, ready, -1, -1, 0, 1500000, false},
        {"many microseconds, interrupted", idle + 1, idle, -1, -1, 0, 2147483647, true},
    };
    for (size_t i = 0; i < sizeof(select_only) / sizeof(*select_only); i++) {
        try_select(&select_only[i], false);
    }
    return 0;
}
