/*
 * How to wait: the only place that decides which stages a wait has. All of it is async-signal-safe
 * where the calls it stands for are; every stage is a cancellation point.
 */
#ifndef HRTIMEOUT_WAIT_H
#define HRTIMEOUT_WAIT_H

#include "policy.h"
#include "sandbox.h"
#include "stage.h"
#include "stats.h"

#include <stdbool.h>
#include <stdint.h>

/* What the process was started as (personality, libc). Constructor only. */
void wait_init(void);

/* Whether waits are taken over at all. */
static inline bool wait_active(void)
{
    return __atomic_load_n(&policy.mode, __ATOMIC_RELAXED) >= MODE_TIMER;
}

/* Nothing but the deadline to care for: timer mode, nothing is counted, signals end waits. */
static inline bool wait_plain(void)
{
    return __atomic_load_n(&policy.mode, __ATOMIC_RELAXED) == MODE_TIMER && !policy.resume &&
           !stats_on();
}

/* From this length on the kernel's proportional slack (10 us) is worth a wake-up. */
#define WAIT_BULK_MS 10

/*
 * Whether a wait of `ms` (more than 0) by a call that takes whole ms gains by being taken over: in
 * timer mode a short one doesn't, nor where `fine`, the call for the last stage, can't be made.
 */
static inline bool wait_gains(int ms, bool fine)
{
    return policy.resume || (fine && (ms >= WAIT_BULK_MS || policy.mode == MODE_EXACT));
}

/* Whether the calls of a finer last stage can be made: for poll, and for the epoll family. */
static inline bool wait_fine_poll(void)
{
    return sandbox_allows(EXTRA_PPOLL);
}
bool wait_fine_epoll(void);

/* Whether `call` may sleep by clock_nanosleep(CLOCK_..., TIMER_ABSTIME). */
bool wait_may_sleep(enum stat_call call);

/*
 * Waits for descriptors for `timeout` ns (more than 0). Returns as the call it stands for does.
 * Through `left`, when not NULL, what is left of the time, 0 or more.
 */
int wait_descriptors(struct wait *w, int64_t timeout, int64_t *left);

/*
 * wait_descriptors() for poll and epoll_wait where wait_plain(), `ms` from WAIT_BULK_MS on. Most of
 * these waits end in their first stage, soon after they began: that one is made without ceremony.
 */
int wait_poll(struct pollfd *fds, nfds_t count, int ms);
int wait_epoll(int fd, struct epoll_event *events, int max, int ms);

/* The same in one blocking call, however late: for arguments that only the kernel can judge. */
int wait_one_stage(struct wait *w, int64_t timeout, int64_t *left);

/*
 * Sleeps until `deadline` ns on `clock`, `left` ns away (more than 0). 0, or an error number
 * (EINTR, or what a filter answered); errno untouched.
 */
int wait_sleep(enum stat_call call, clockid_t clock, int64_t deadline, int64_t left);

/* True under STICKY_TIMEOUTS (setarch -T): select doesn't count its timeval down. */
extern bool wait_sticky;

#endif
