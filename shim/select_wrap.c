/* select and pselect: by way of poll where poll can say it, else by the real select in stages. */
#include "deadline.h"
#include "export.h"
#include "fdsets.h"
#include "notice.h"
#include "real.h"
#include "sandbox.h"
#include "uaccess.h"
#include "wait.h"
#include "writeback.h"

#include <errno.h>

/* A descriptor that was closed before the wait ends poll within this time, in ns, even on a busy
 * machine. */
#define CLOSED_BEFORE 5000000

/* One select or pselect, its timeout already judged and turned into ns (more than 0). */
struct selection {
    enum stat_call call;
    struct fdsets sets;
    int64_t timeout;
    const sigset_t *mask;
};

/*
 * The real select for the rest of the time, in stages where its sets can be kept. One stage for
 * memory that only the kernel can judge, and for an nfds above FD_SETSIZE: a program that gives its
 * table's size and an ordinary fd_set is right natively, since the kernel touches no more than it
 * has descriptors for; how much that is, isn't known here. Own frame: the copies are large.
 */
static __attribute__((noinline)) int select_real(const struct selection *s, int64_t timeout,
                                                 int64_t *left)
{
    unsigned long kept[3][SELECT_WORDS];
    struct wait w = {.call = s->call, .family = &family_select, .mask = s->mask};
    w.select.nfds = s->sets.nfds;
    for (int i = 0; i < 3; i++) {
        w.select.set[i] = s->sets.set[i];
    }
    stats_did(s->call, DID_REAL_SELECT);
    if (s->sets.nfds < 0 || s->sets.nfds > FD_SETSIZE ||
        !fdsets_keep(&s->sets, kept[0], kept[1], kept[2])) {
        return wait_one_stage(&w, timeout, left);
    }
    w.select.kept = kept;
    return wait_descriptors(&w, timeout, left);
}

/*
 * By poll. False, with the rest of the time in `left`, when only the real select can answer: a
 * descriptor that isn't open, an event that maps to no bit, an error of poll's own.
 */
static __attribute__((noinline)) bool select_by_poll(const struct selection *s, int64_t *left,
                                                     int *result)
{
    struct pollfd fds[FDSETS_POLL_MAX];
    int count = fdsets_to_poll(&s->sets, fds);
    *left = s->timeout;
    if (count < 0) {
        return false;
    }
    struct wait w = {
        .call = s->call, .family = &family_poll, .mask = s->mask, .poll = {fds, (nfds_t)count}};
    int saved = errno;
    int r = wait_descriptors(&w, s->timeout, left);
    if (r < 0 && errno != EINTR) {
        errno = saved;
        return false;
    }
    if (r >= 0) {
        bool blocked = w.blocked || s->timeout - *left > CLOSED_BEFORE;
        r = fdsets_from_poll(&s->sets, fds, count, r, blocked);
        if (r == FDSETS_UNDECIDED) {
            return false;
        }
    }
    *result = r;
    return true;
}

static bool may_poll(const struct selection *s)
{
    return s->sets.nfds >= 0 && s->sets.nfds <= FD_SETSIZE && sandbox_allows(EXTRA_PPOLL) &&
           sandbox_allows(EXTRA_POLL);
}

static int select_for(const struct selection *s, int64_t *left)
{
    int result;
    struct stat_wait counted = stats_begin(s->call, s->timeout);
    *left = s->timeout;
    if (!may_poll(s) || !select_by_poll(s, left, &result)) {
        result = select_real(s, *left, left);
    }
    stats_result(&counted, result > 0, result < 0 ? errno : 0);
    return result;
}

/*
 * The timeout in ns as libc makes it of the timeval: microseconds may be a second and more, and are
 * cut to 32 bits by some libcs, so that what doesn't fit there isn't ours to judge. -1: not for us.
 */
static int64_t select_length(const struct timeval64 *tv)
{
    if (tv->tv_sec < 0 || tv->tv_usec < 0 || tv->tv_usec > INT32_MAX) {
        return -1;
    }
    return ns_add(ns_from_parts(tv->tv_sec, 0), ns_from_us((uint32_t)tv->tv_usec));
}

static int pass_select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval64 *tv)
{
    if (!stats_on()) {
        return real()->select64(nfds, r, w, e, tv);
    }
    int64_t length = tv ? select_length(tv) : -1;
    if (length == 0) {
        notice_zero_timeval(tv);
        stats_zero(CALL_SELECT);
        return real()->select64(nfds, r, w, e, tv);
    }
    struct stat_wait counted = stats_begin(CALL_SELECT, length);
    int result = real()->select64(nfds, r, w, e, tv);
    stats_result(&counted, result > 0, result < 0 ? errno : 0);
    if (result == 0 && length > 0 && select_length(tv) == 0) {
        notice_counted_down(tv);
    }
    return result;
}

EXPORT int select64(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval64 *tv)
{
    if (!tv || !wait_active() ||
        (sandbox() == SANDBOX_MAY_KILL && !uaccess_known(tv, sizeof(*tv)))) {
        return pass_select(nfds, r, w, e, tv);
    }
    int64_t left;
    struct selection s = {CALL_SELECT, {nfds, {r, w, e}}, select_length(tv), NULL};
    if (s.timeout <= 0) {
        return pass_select(nfds, r, w, e, tv);
    }
    int result = select_for(&s, &left);
    write_back_timeval(tv, left);
    return result;
}

static int pass_pselect(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec64 *timeout,
                        const sigset_t *mask)
{
    int64_t ns = timeout ? timespec_length(timeout) : -1;
    if (ns == 0) {
        stats_zero(CALL_PSELECT);
    }
    if (ns == 0 || !stats_on()) {
        return real()->pselect64(nfds, r, w, e, timeout, mask);
    }
    struct stat_wait counted = stats_begin(CALL_PSELECT, ns);
    int result = real()->pselect64(nfds, r, w, e, timeout, mask);
    stats_result(&counted, result > 0, result < 0 ? errno : 0);
    return result;
}

EXPORT int pselect64(int nfds, fd_set *r, fd_set *w, fd_set *e, const struct timespec64 *timeout,
                     const sigset_t *mask)
{
    int64_t ns = timeout ? timespec_length(timeout) : -1;
    if (ns <= 0 || !wait_active()) {
        return pass_pselect(nfds, r, w, e, timeout, mask);
    }
    int64_t left;
    struct selection s = {CALL_PSELECT, {nfds, {r, w, e}}, ns, mask};
    int result = select_for(&s, &left);
    write_back_timespec(timeout, left);
    return result;
}

#if defined(__GLIBC__) && !defined(TIME32_ABI)
EXPORT_ALIAS(select) int __select(int nfds, fd_set *r, fd_set *w, fd_set *e, struct timeval *tv);
#endif
