/*
 * pointers: each call with pointers that lead nowhere, to memory of which only a part is there, to
 * memory that mustn't be written: the kernel's answer, never a crash. Pointers that libc itself
 * reads (select's timeval, ppoll's and pselect's timespec) aren't tried: there libc crashes too.
 */
#include "waits.h"

#include <sys/mman.h>

struct place {
    const char *name;
    void *at;
};

enum { PLACES = 10, CUT = 7, WRITABLE = 9 };

static struct place places[PLACES];
static int idle, ready, idle_epoll, ready_epoll;

static void handler(int signo)
{
    (void)signo;
}

static void show(const char *call, const char *place, int result)
{
    printf("%s, %s: %d", call, place, result);
    printf(result == -1 ? " %s\n" : "\n", strerrorname_np(errno));
}

static char *pages(int protection)
{
    char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) {
        abort();
    }
    /* In a readable place each kind of argument must make sense. */
    *(struct timespec *)at = (struct timespec){0, 3 * MS};
    mprotect(at, 4096, protection);
    mprotect(at + 4096, 4096, PROT_NONE);
    return at;
}

static void make_places(void)
{
    char *unmapped = pages(PROT_NONE), *cut = pages(PROT_READ | PROT_WRITE);
    munmap(unmapped, 8192);
    const struct place all[PLACES] = {
        {"1", (void *)1},
        {"8", (void *)8},
        {"last page", (void *)-4096L},
        {"end of memory", (void *)-8L},
        {"kernel", (void *)0xffffffff81000000},
        {"not canonical", (void *)0x800000000000},
        {"unmapped", unmapped},
        {"eight bytes before the end", cut + 4088},
        {"only readable", pages(PROT_READ)},
        {"writable", pages(PROT_READ | PROT_WRITE)},
    };
    memcpy(places, all, sizeof(all));
}

/* Undoes what an earlier call wrote. */
static void clear_places(void)
{
    memset(places[CUT].at, 0, 8);
    memset(places[WRITABLE].at, 0, 128);
}

static void try_sleeps(const struct place *p)
{
    const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
    show("nanosleep", p->name, nanosleep(p->at, NULL));
    show("thrd_sleep", p->name, thrd_sleep(p->at, NULL) == 0 ? 0 : 1);
    for (int i = 0; i < 2; i++) {
        show("clock_nanosleep", p->name, clock_nanosleep(clocks[i], 0, p->at, NULL));
        show("absolute", p->name, clock_nanosleep(clocks[i], TIMER_ABSTIME, p->at, NULL));
    }
}

/* A rest is written only when there is one: not by a sleep that is completed. */
static void try_rests(const struct place *p)
{
    const struct timespec shortly = {0, 2 * MS}, for_long = {60, 0};
    show("nanosleep with a rest", p->name, nanosleep(&shortly, p->at));
    show("clock_nanosleep with a rest", p->name,
         clock_nanosleep(CLOCK_MONOTONIC, 0, &shortly, p->at));
    timer_t timer = signal_me(SIGUSR1, 5 * MS, 5 * MS);
    show("nanosleep interrupted", p->name, nanosleep(&for_long, p->at));
    show("clock_nanosleep interrupted", p->name,
         clock_nanosleep(CLOCK_MONOTONIC, 0, &for_long, p->at));
    timer_delete(timer);
}

static void try_polls(const struct place *p)
{
    struct timespec ts = {0, 3 * MS}, zero = {0, 0};
    for (nfds_t count = 0; count < 3; count++) {
        show("poll", p->name, poll(p->at, count, 3));
        show("poll, zero", p->name, poll(p->at, count, 0));
        show("ppoll", p->name, ppoll(p->at, count, &ts, NULL));
        show("ppoll, zero", p->name, ppoll(p->at, count, &zero, NULL));
    }
}

static int select_at(int which, void *set, int nfds, int us, bool with_timespec)
{
    struct timeval tv = {0, us};
    struct timespec ts = {0, us * 1000L};
    fd_set *in = which == 0 ? set : NULL, *out = which == 1 ? set : NULL;
    fd_set *except = which == 2 ? set : NULL;
    return with_timespec ? pselect(nfds, in, out, except, &ts, NULL)
                         : select(nfds, in, out, except, &tv);
}

static void try_sets(const struct place *p)
{
    static const char *const names[] = {"read set", "write set", "except set"};
    char what[80];
    for (int which = 0; which < 3; which++) {
        for (int nfds = 0; nfds <= 70; nfds += 35) {
            for (int us = 0; us <= 3000; us += 3000) {
                snprintf(what, sizeof(what), "%s of %d, %d us", names[which], nfds, us);
                clear_places();
                show(what, p->name, select_at(which, p->at, nfds, us, false));
                clear_places();
                show(what, p->name, select_at(which, p->at, nfds, us, true));
            }
        }
    }
}

static void try_epolls(const struct place *p)
{
    struct epoll_event event;
    for (int count = 1; count < 3; count++) {
        show("epoll_wait, idle", p->name, epoll_wait(idle_epoll, p->at, count, 3));
        show("epoll_wait, ready", p->name, epoll_wait(ready_epoll, p->at, count, 3));
        show("epoll_wait, zero", p->name, epoll_wait(ready_epoll, p->at, count, 0));
        show("epoll_pwait, idle", p->name, epoll_pwait(idle_epoll, p->at, count, 3, NULL));
        show("epoll_pwait, ready", p->name, epoll_pwait(ready_epoll, p->at, count, 3, NULL));
    }
    show("epoll_pwait2's timespec", p->name, epoll_pwait2(idle_epoll, &event, 1, p->at, NULL));
}

static void try_masks(const struct place *p)
{
    struct pollfd pollfd = {.fd = ready, .events = POLLIN};
    struct epoll_event event;
    struct timespec ts = {0, 3 * MS};
    show("ppoll's mask", p->name, ppoll(&pollfd, 1, &ts, p->at));
    show("ppoll's mask, nothing to poll", p->name, ppoll(NULL, 0, &ts, p->at));
    show("pselect's mask", p->name, pselect(0, NULL, NULL, NULL, &ts, p->at));
    show("epoll_pwait's mask", p->name, epoll_pwait(ready_epoll, &event, 1, 3, p->at));
    show("epoll_pwait2's mask", p->name, epoll_pwait2(ready_epoll, &event, 1, &ts, p->at));
}

/* A page that was good when it was last used, and isn't any more. */
static void try_page_gone_bad(void)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct timespec *ts = (struct timespec *)page;
    *ts = (struct timespec){0, 5 * MS};
    show("nanosleep", "good page", nanosleep(ts, ts));
    memset(page, 0, 4096);
    show("select", "good page", select_at(0, page, 10, 5000, false));
    show("poll", "good page", poll((struct pollfd *)page + 1, 1, 5));
    mprotect(page, 4096, PROT_NONE);
    show("nanosleep", "page gone bad", nanosleep(ts, ts));
    show("select", "page gone bad", select_at(0, page, 10, 5000, false));
    show("poll", "page gone bad", poll((struct pollfd *)page + 1, 1, 5));
}

static int epoll_of(int fd)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll = epoll_create1(0);
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    return epoll;
}

int main(void)
{
    static const struct place null = {"NULL", NULL};
    dup2(idle_fd(), STDIN_FILENO); /* what a pollfd or set of zeros is about */
    idle = STDIN_FILENO;
    ready = ready_fd();
    idle_epoll = epoll_of(idle);
    ready_epoll = epoll_of(ready);
    handle(SIGUSR1, handler, 0);
    make_places();
    for (int i = 0; i < PLACES; i++) {
        const struct place *p = &places[i];
        *(struct timespec *)places[WRITABLE].at = (struct timespec){0, 3 * MS};
        try_sleeps(p);
        try_rests(p);
        clear_places();
        try_polls(p);
        try_sets(p);
        try_epolls(p);
        try_masks(p);
    }
    try_sleeps(&null);
    try_polls(&null);
    try_page_gone_bad();
    return 0;
}
