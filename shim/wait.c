#include "wait.h"

#include "clock.h"
#include "deadline.h"
#include "margin.h"
#include "old_glibc.h"
#include "real.h"
#include "sandbox.h"
#include "uaccess.h"
#include "warm.h"

#include <errno.h>
#include <sys/personality.h>

#define BULK_MIN (WAIT_BULK_MS * NS_PER_MS)

/* The kernel adds at most this to a wait for descriptors. */
#define WINDOW_MAX (100 * NS_PER_MS)

/* What exact mode keeps for its last stage: the margin, and how late the bulk may wake. */
#define EXACT_ROOM (3 * NS_PER_MS / 2)

/* Suspended time isn't in a descriptor wait's own clock: look at the right one this often. */
#define BOOTTIME_STAGE (10 * NS_PER_SEC)

/* A look costs at least a system call; closer to the deadline only the clock is read. */
#define LOOK_COST 600

/* After this time since the last look the CPU was somebody else's. */
#define LOOK_OLD 20000

/* Bounds the last look of EINTR=resume under a storm of signals. */
#define LAST_LOOKS 1000

bool wait_sticky;

/* Whether libc's own relative sleeps are made of the system call clock_nanosleep. */
static bool sleeps_by_clock;

void wait_init(void)
{
    sleeps_by_clock = libc_version() >= 231;
    if (sandbox() != SANDBOX_MAY_KILL) {
        int saved = errno;
        int now = personality(0xffffffff);
        wait_sticky = now != -1 && (now & STICKY_TIMEOUTS);
        errno = saved;
    }
}

static bool exact(void)
{
    return __atomic_load_n(&policy.mode, __ATOMIC_RELAXED) == MODE_EXACT;
}

bool wait_fine_epoll(void)
{
#ifdef __GLIBC__
    return real()->epoll_pwait2_64 && sandbox_allows(EXTRA_EPOLL_PWAIT2);
#else
    return false;
#endif
}

bool wait_may_sleep(enum stat_call call)
{
    bool own = call == CALL_CLOCK_NANOSLEEP || (sleeps_by_clock && call >= CALL_NANOSLEEP);
    return own || sandbox_allows(EXTRA_CLOCK_NANOSLEEP);
}

static inline void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    __asm__ volatile("yield" ::: "memory");
#endif
}

/* Whether the stages of `w` can end at any ns; else each is the program's own call, in ms. */
static bool is_fine(const struct wait *w)
{
    if (w->call == CALL_POLL) {
        return wait_fine_poll();
    }
    if (w->call == CALL_EPOLL_WAIT || w->call == CALL_EPOLL_PWAIT) {
        return wait_fine_epoll();
    }
    return true;
}

/*
 * A look by epoll delivers no signal, so that one which only the caller's mask lets through would
 * wait until after the spin.
 */
static bool may_spin(const struct wait *w)
{
    return exact() && !(w->family == &family_epoll && w->mask);
}

/*
 * The first stage, in ms: so long that the kernel's slack window ends at the deadline. Its nice
 * value would say whether that window is 0.1 % or 0.5 %; the larger is assumed (a little over 1/201
 * of the time, in shifts).
 */
static int bulk_length(int64_t left, bool spins)
{
    int64_t window = (left >> 8) + (left >> 10) + (left >> 13);
    if (window > WINDOW_MAX) {
        window = WINDOW_MAX;
    }
    left -= spins ? window + EXACT_ROOM : window;
    if (policy.clock == CLOCK_BOOTTIME && left > BOOTTIME_STAGE) {
        left = BOOTTIME_STAGE;
    }
    return ns_to_ms(left);
}

/* One stage may be cut by what ms can hold or by the clock; a bulk that wasn't is the only one. */
static bool wants_bulk(int64_t left, bool had_bulk, bool spins)
{
    return left >= BULK_MIN && (!had_bulk || spins || left > 2 * WINDOW_MAX);
}

/*
 * Looks until the deadline, the last µs by the clock alone. `*now` goes along. Who was kept from
 * the CPU meanwhile looks once more: natively what was ready before the deadline is seen.
 */
static int spin(struct wait *w, int64_t deadline, int64_t *now)
{
    int64_t start = *now;
    int64_t cost = LOOK_COST;
    int r = 0;
    warm_return(deadline - start);
    int64_t looked = start;
    while (r == 0 && *now + cost < deadline) {
        looked = *now;
        r = w->family->look(w);
        *now = clock_now(policy.clock);
        cost = *now - looked;
    }
    while (r == 0 && *now < deadline) {
        pause_cpu();
        *now = clock_now(policy.clock);
    }
    if (r == 0 && *now - looked > LOOK_OLD) {
        r = w->family->look(w);
    }
    margin_pay(*now - start);
    stats_spun(w->call, *now - start);
    return r;
}

/* The deadline passed while a handler ran: what the descriptors say, or that the time is up. */
static int last_look(struct wait *w)
{
    int r = -1;
    for (int i = 0; i < LAST_LOOKS && r < 0 && (i == 0 || errno == EINTR); i++) {
        r = w->family->look(w);
    }
    return r;
}

/* Stages until the deadline, `rest` ns away, or an answer; `had_bulk`: the first is behind us. */
static int run_stages(struct wait *w, int64_t deadline, int64_t rest, bool had_bulk, int64_t *left)
{
    int64_t now = deadline - rest;
    int saved = policy.resume ? errno : 0;
    bool fine = is_fine(w);
    bool spins = fine && may_spin(w);
    for (;;) {
        int64_t aim = 0;
        int r = 0;
        if (fine && wants_bulk(rest, had_bulk, spins)) {
            r = w->family->bulk(w, bulk_length(rest, spins));
            had_bulk = true;
        } else {
            aim = spins ? margin_aim(MARGIN_DESCRIPTOR, rest, now) : 0;
            r = aim < rest ? w->family->rest(w, rest - aim) : w->family->look(w);
        }
        stats_did(w->call, DID_STAGE);
        bool resume = r < 0 && errno == EINTR && policy.resume;
        if (r != 0 && !resume && !left) {
            return r;
        }
        w->blocked |= r == 0;
        now = clock_now(policy.clock);
        if (r == 0 && aim) {
            if (aim < rest) {
                margin_learn(MARGIN_DESCRIPTOR, now - (deadline - aim));
            }
            r = now < deadline ? spin(w, deadline, &now) : 0;
            resume = r < 0 && errno == EINTR && policy.resume;
        }
        rest = ns_remaining(deadline, now);
        if (resume) {
            stats_did(w->call, DID_RESUME);
            errno = saved;
            r = rest ? 0 : last_look(w);
        }
        if (r != 0 || rest == 0) {
            if (left) {
                *left = rest;
            }
            return r;
        }
    }
}

/* Sleeps have no slack but the thread's own, so one stage will do; then, in exact mode, the spin.
 */
static void spin_clock(enum stat_call call, clockid_t clock, int64_t deadline, int64_t now)
{
    int64_t start = now;
    warm_return(deadline - start);
    while (now < deadline) {
        pause_cpu();
        cancellation_point();
        now = clock_now(clock);
    }
    margin_pay(now - start);
    stats_spun(call, now - start);
}

static int sleep_aimed(enum stat_call call, clockid_t clock, int64_t deadline, int64_t left)
{
    /* The budget fills by one clock, whatever the sleep counts on. */
    int64_t now = clock == policy.clock ? deadline - left : clock_now(policy.clock);
    int64_t aim = margin_aim(MARGIN_SLEEP, left, now);
    int error = aim < left ? stage_sleep(clock, deadline - aim) : 0;
    if (error || aim == 0) {
        return error;
    }
    now = clock_now(clock);
    if (aim < left) {
        margin_learn(MARGIN_SLEEP, now - (deadline - aim));
    }
    spin_clock(call, clock, deadline, now);
    return 0;
}

int wait_sleep(enum stat_call call, clockid_t clock, int64_t deadline, int64_t left)
{
    for (;;) {
        int error =
            exact() ? sleep_aimed(call, clock, deadline, left) : stage_sleep(clock, deadline);
        stats_did(call, DID_STAGE);
        if (error != EINTR || !policy.resume) {
            return error;
        }
        stats_did(call, DID_RESUME);
        left = ns_remaining(deadline, clock_now(clock));
        if (left == 0) {
            return 0;
        }
    }
}

/* A sleep has neither proportional slack nor a ms. False: a filter refuses it. */
static bool sleep_instead(const struct wait *w, int64_t deadline, int64_t timeout, int *r)
{
    int error = wait_sleep(w->call, policy.clock, deadline, timeout);
    if (error && sandbox_refused(EXTRA_CLOCK_NANOSLEEP, error)) {
        return false;
    }
    if (error) {
        errno = error;
    }
    *r = error ? -1 : 0;
    return true;
}

/* For an array of no entries the kernel still judges the pointer: only a good one is ours. */
static bool may_sleep_instead(const struct wait *w)
{
    return w->family == &family_poll && w->poll.count == 0 && !w->mask &&
           (!w->poll.fds || uaccess_known(w->poll.fds, 1)) && wait_may_sleep(w->call);
}

/*
 * The stages; but when the epoll descriptor was closed between two of them (EBADF), or its number
 * now is another file's (EINVAL), a sleep: the kernel's own wait holds on to it, and ends by its
 * timeout or by a signal.
 */
static int stages_or_sleep(struct wait *w, int64_t deadline, int64_t rest, bool had_bulk,
                           int64_t *left)
{
    int saved = errno;
    int r = run_stages(w, deadline, rest, had_bulk, left);
    if (r >= 0 || w->family != &family_epoll || !w->blocked ||
        (errno != EBADF && errno != EINVAL)) {
        return r;
    }
    struct wait sleep = {.call = w->call, .family = &family_poll, .mask = w->mask};
    errno = saved;
    return wait_descriptors(&sleep, ns_remaining(deadline, clock_now(policy.clock)), NULL);
}

int wait_descriptors(struct wait *w, int64_t timeout, int64_t *left)
{
    int r;
    int64_t now = clock_now(policy.clock);
    int64_t deadline = ns_add(now, timeout);
    if (!may_sleep_instead(w) || !sleep_instead(w, deadline, timeout, &r)) {
        return stages_or_sleep(w, deadline, timeout, false, left);
    }
    if (left) {
        *left = ns_remaining(deadline, clock_now(policy.clock));
    }
    return r;
}

int wait_one_stage(struct wait *w, int64_t timeout, int64_t *left)
{
    int64_t deadline = ns_add(clock_now(policy.clock), timeout);
    stats_did(w->call, DID_STAGE);
    int r = w->family->rest(w, timeout);
    *left = ns_remaining(deadline, clock_now(policy.clock));
    return r;
}

static int after_bulk(struct wait *w, int64_t deadline)
{
    int64_t rest = ns_remaining(deadline, clock_now(policy.clock));
    w->blocked = true;
    return rest ? stages_or_sleep(w, deadline, rest, true, NULL) : 0;
}

/* Own frames: what most waits don't need shall not cost them. */
static __attribute__((noinline)) int after_poll(struct pollfd *fds, nfds_t count, int64_t deadline)
{
    struct wait w = {.call = CALL_POLL, .family = &family_poll, .poll = {fds, count}};
    return after_bulk(&w, deadline);
}

static __attribute__((noinline)) int after_epoll(int fd, struct epoll_event *events, int max,
                                                 int64_t deadline)
{
    struct wait w = {.call = CALL_EPOLL_WAIT, .family = &family_epoll, .epoll = {fd, events, max}};
    return after_bulk(&w, deadline);
}

int wait_poll(struct pollfd *fds, nfds_t count, int ms)
{
    int64_t deadline = clock_now(policy.clock) + ns_from_ms(ms);
    int r = real()->poll(fds, count, bulk_length(ns_from_ms(ms), false));
    return r ? r : after_poll(fds, count, deadline);
}

int wait_epoll(int fd, struct epoll_event *events, int max, int ms)
{
    int64_t deadline = clock_now(policy.clock) + ns_from_ms(ms);
    int r = real()->epoll_wait(fd, events, max, bulk_length(ns_from_ms(ms), false));
    return r ? r : after_epoll(fd, events, max, deadline);
}
