/* bad_pointers MS [sandboxed]: every pointer of every call, with every sort of bad and of good
 * memory. Where libc itself crashes the line ends in "crashed". Run from a thread with a small
 * stack of its own, so that "the caller's own frames" has a near end. */
#include "bad_memory.h"
#include "each_wait.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/time.h>

static int64_t length;

/* Interrupts the wait, which then has to write what remains. Again and again: the first signal may
 * come before the wait has begun. */
static void interrupt(bool on)
{
    struct itimerval often = {{.tv_usec = on * 1000}, {.tv_usec = on * 1000}};
    setitimer(ITIMER_REAL, &often, NULL);
}

static int with_req(void *p)
{
    return or_errno(nanosleep(p, NULL));
}

static int with_rem(void *p)
{
    struct timespec ts = {.tv_nsec = 100000000};
    interrupt(true);
    int result = or_errno(nanosleep(&ts, p));
    interrupt(false);
    return result;
}

static int with_rem_untouched(void *p)
{
    struct timespec ts = spec_of(length / 4);
    return or_errno(nanosleep(&ts, p));
}

static int with_clock_req(void *p)
{
    return -clock_nanosleep(CLOCK_MONOTONIC, 0, p, NULL);
}

static int with_clock_rem(void *p)
{
    struct timespec ts = {.tv_nsec = 100000000};
    interrupt(true);
    int result = -clock_nanosleep(CLOCK_REALTIME, 0, &ts, p);
    interrupt(false);
    return result;
}

static int with_absolute_req(void *p)
{
    return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, p, NULL);
}

static int with_thrd_req(void *p)
{
    return thrd_sleep(p, NULL) == 0 ? 0 : -EIO;
}

static int select_with(void *r, void *w, void *e)
{
    struct timeval tv = {.tv_usec = (suseconds_t)(length / 1000)};
    return or_errno(select(wait_pipe[1] + 1, r, w, e, &tv));
}

static int with_read_set(void *p)
{
    return select_with(p, NULL, NULL);
}

static int with_except_set(void *p)
{
    return select_with(NULL, NULL, p);
}

/* A good set with a descriptor that is ready comes first. */
static int with_second_set(void *p)
{
    fd_set ready;
    FD_ZERO(&ready);
    FD_SET(wait_pipe[1], &ready);
    int result = select_with(p, &ready, NULL);
    return result < 0 ? result : result * 10 + FD_ISSET(wait_pipe[1], &ready);
}

static int with_zero_select(void *p)
{
    struct timeval tv = {0};
    return or_errno(select(wait_pipe[1] + 1, p, NULL, NULL, &tv));
}

static int with_pselect_set(void *p)
{
    struct timespec ts = spec_of(length);
    return or_errno(pselect(wait_pipe[1] + 1, p, NULL, NULL, &ts, NULL));
}

static int with_pselect_time(void *p)
{
    return or_errno(pselect(0, NULL, NULL, NULL, p, NULL));
}

static int with_pselect_mask(void *p)
{
    struct timespec ts = spec_of(length);
    return or_errno(pselect(0, NULL, NULL, NULL, &ts, p));
}

static int with_poll(void *p)
{
    return or_errno(poll(p, 4, ms_of(length)));
}

static int with_ready_poll(void *p)
{
    return or_errno(poll(p, 5, ms_of(length)));
}

static int with_zero_poll(void *p)
{
    return or_errno(poll(p, 4, 0));
}

static int with_ppoll(void *p)
{
    struct timespec ts = spec_of(length);
    return or_errno(ppoll(p, 4, &ts, NULL));
}

static int with_ppoll_time(void *p)
{
    return or_errno(ppoll(NULL, 0, p, NULL));
}

static int with_ppoll_mask(void *p)
{
    struct timespec ts = spec_of(length);
    return or_errno(ppoll(NULL, 0, &ts, p));
}

static int with_events(void *p)
{
    return or_errno(epoll_wait(wait_epoll, p, 2, ms_of(length)));
}

static int ready_epoll;

static int with_ready_events(void *p)
{
    return or_errno(epoll_wait(ready_epoll, p, 2, ms_of(length)));
}

static int with_epoll_mask(void *p)
{
    struct epoll_event event;
    return or_errno(epoll_pwait(wait_epoll, &event, 1, ms_of(length), p));
}

static int with_pwait2_events(void *p)
{
    struct timespec ts = spec_of(length);
    return or_errno(epoll_pwait2(ready_epoll, p, 2, &ts, NULL));
}

static int with_pwait2_time(void *p)
{
    struct epoll_event event;
    return or_errno(epoll_pwait2(wait_epoll, &event, 1, p, NULL));
}

static struct timespec in_time;
static fd_set quiet_set;
static sigset_t empty_mask;
static struct pollfd quiet_fds[5];
static struct epoll_event events[2];

static const struct {
    const char *name;
    int (*run)(void *);
    const void *contents;
    size_t size;
} pointers[] = {
    {"nanosleep req", with_req, &in_time, sizeof(in_time)},
    {"nanosleep rem, interrupted", with_rem, &in_time, sizeof(in_time)},
    {"nanosleep rem, whole", with_rem_untouched, &in_time, sizeof(in_time)},
    {"clock_nanosleep req", with_clock_req, &in_time, sizeof(in_time)},
    {"clock_nanosleep rem, interrupted", with_clock_rem, &in_time, sizeof(in_time)},
    {"clock_nanosleep absolute req", with_absolute_req, &in_time, sizeof(in_time)},
    {"thrd_sleep req", with_thrd_req, &in_time, sizeof(in_time)},
    {"select read set", with_read_set, &quiet_set, 8},
    {"select except set", with_except_set, &quiet_set, 8},
    {"select read set, ready write set", with_second_set, &quiet_set, 8},
    {"select read set, zero", with_zero_select, &quiet_set, 8},
    {"pselect read set", with_pselect_set, &quiet_set, 8},
    {"pselect time", with_pselect_time, &in_time, sizeof(in_time)},
    {"pselect mask", with_pselect_mask, &empty_mask, 8},
    {"poll", with_poll, quiet_fds, 4 * sizeof(*quiet_fds)},
    {"poll, last ready", with_ready_poll, quiet_fds, 5 * sizeof(*quiet_fds)},
    {"poll, zero", with_zero_poll, quiet_fds, 4 * sizeof(*quiet_fds)},
    {"ppoll", with_ppoll, quiet_fds, 4 * sizeof(*quiet_fds)},
    {"ppoll time", with_ppoll_time, &in_time, sizeof(in_time)},
    {"ppoll mask", with_ppoll_mask, &empty_mask, 8},
    {"epoll_wait events", with_events, events, sizeof(events)},
    {"epoll_wait events, ready", with_ready_events, events, sizeof(events)},
    {"epoll_pwait mask", with_epoll_mask, &empty_mask, 8},
    {"epoll_pwait2 events, ready", with_pwait2_events, events, sizeof(events)},
    {"epoll_pwait2 time", with_pwait2_time, &in_time, sizeof(in_time)},
};

static void show(size_t pointer, int sort, void *p)
{
    const char *name = pointers[pointer].name;
    if (sigsetjmp(crash, 1)) {
        printf("%s, %s: crashed\n", name, memory_names[sort]);
        return;
    }
    int result = pointers[pointer].run(p);
    printf("%s, %s: %s %d\n", name, memory_names[sort],
           result < 0 && result > -133 ? strerrorname_np(-result) : "result", result);
}

static void *show_all(void *unused)
{
    for (size_t pointer = 0; pointer < sizeof(pointers) / sizeof(*pointers); pointer++) {
        for (int sort = 0; sort < MEMORIES; sort++) {
            show(pointer, sort,
                 memory_of(sort, pointers[pointer].contents, pointers[pointer].size));
        }
    }
    return unused;
}

static const char *read_set_of(void *p)
{
    if (sigsetjmp(crash, 1)) {
        return "crashed";
    }
    int result = with_read_set(p);
    return result < 0 ? strerrorname_np(-result) : "0";
}

/* Good memory that a call has seen and that then goes bad. */
static void goes_bad(void)
{
    char *page = page_before_nothing();
    for (int i = 0; i < 6; i++) {
        memcpy(page, &quiet_set, sizeof(quiet_set));
        printf("good so far, %d: %s\n", i, read_set_of(page));
    }
    mprotect(page, PAGE_BYTES, PROT_READ);
    printf("read-only now: %s\n", read_set_of(page));
    mprotect(page, PAGE_BYTES, PROT_NONE);
    printf("no access now: %s\n", read_set_of(page));
    munmap(page, PAGE_BYTES);
    printf("unmapped now: %s\n", read_set_of(page));
}

static void ignore(int signal)
{
    (void)signal;
}

static void prepare(void)
{
    struct sigaction action = {.sa_handler = ignore};
    struct epoll_event event = {.events = EPOLLOUT};
    sigaction(SIGALRM, &action, NULL);
    catch_crashes();
    memory_prepare();
    if (!each_wait_open()) {
        abort();
    }
    in_time = spec_of(length);
    FD_SET(wait_pipe[0], &quiet_set);
    for (int i = 0; i < 5; i++) {
        quiet_fds[i] = (struct pollfd){.fd = wait_pipe[i == 4], .events = POLLIN | POLLOUT};
    }
    ready_epoll = epoll_create1(0);
    epoll_ctl(ready_epoll, EPOLL_CTL_ADD, wait_pipe[1], &event);
}

/* Sixteen pages, and one above that may not be touched. */
static bool on_small_stack(void *(*run)(void *))
{
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t alarms;
    thread_stack =
        mmap(NULL, 17 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(thread_stack + 16 * PAGE_BYTES, PAGE_BYTES, PROT_NONE);
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, thread_stack, 16 * PAGE_BYTES);
    if (pthread_create(&thread, &attr, run, NULL)) {
        return false;
    }
    /* The alarms are meant for that thread. */
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, NULL);
    return pthread_join(thread, NULL) == 0;
}

int main(int argc, char **argv)
{
    length = (argc > 1 ? atoi(argv[1]) : 2) * INT64_C(1000000);
    prepare();
    /* Tells the library that a system call filter may be on its way. */
    if (argc > 2 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
        return 2;
    }
    if (!on_small_stack(show_all)) {
        return 2;
    }
    goes_bad();
    return 0;
}
