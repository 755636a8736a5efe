#include "stage.h"

#include "deadline.h"
#include "fdsets.h"
#include "real.h"
#include "sandbox.h"

#include <errno.h>
#include <string.h>

/* poll and its kin. Select comes here as well; for it both poll and ppoll are extra calls. */

static int poll_rest(struct wait *w, int64_t ns)
{
    int saved = errno;
    struct timespec64 ts = ns_to_timespec(ns);
    if (w->call == CALL_PPOLL) {
        return real()->ppoll64(w->poll.fds, w->poll.count, &ts, w->mask);
    }
    if (sandbox_allows(EXTRA_PPOLL)) {
        int r = real()->ppoll64(w->poll.fds, w->poll.count, &ts, w->mask);
        if (r >= 0 || !sandbox_refused(EXTRA_PPOLL, errno) || w->call != CALL_POLL) {
            return r;
        }
        errno = saved;
    }
    return real()->poll(w->poll.fds, w->poll.count, ns_to_ms_up(ns));
}

/* The kernel carries poll's deadline over SIGSTOP and SIGCONT, but not ppoll's. */
static int poll_bulk(struct wait *w, int ms)
{
    if (w->call == CALL_POLL) {
        return real()->poll(w->poll.fds, w->poll.count, ms);
    }
    if (!w->mask && sandbox_allows(EXTRA_POLL)) {
        int saved = errno;
        int r = real()->poll(w->poll.fds, w->poll.count, ms);
        if (r >= 0 || !sandbox_refused(EXTRA_POLL, errno)) {
            return r;
        }
        errno = saved;
    }
    return poll_rest(w, ns_from_ms(ms));
}

static int poll_look(struct wait *w)
{
    return w->mask ? poll_rest(w, 0) : poll_bulk(w, 0);
}

const struct family family_poll = {poll_bulk, poll_rest, poll_look};

static int epoll_bulk(struct wait *w, int ms)
{
    if (w->call == CALL_EPOLL_WAIT) {
        return real()->epoll_wait(w->epoll.fd, w->epoll.events, w->epoll.max, ms);
    }
    if (w->call == CALL_EPOLL_PWAIT) {
        return real()->epoll_pwait(w->epoll.fd, w->epoll.events, w->epoll.max, ms, w->mask);
    }
    return w->family->rest(w, ns_from_ms(ms));
}

#ifdef __GLIBC__
static int epoll_rest(struct wait *w, int64_t ns)
{
    int saved = errno;
    struct timespec64 ts = ns_to_timespec(ns);
    bool own = w->call == CALL_EPOLL_PWAIT2;
    if (own || (real()->epoll_pwait2_64 && sandbox_allows(EXTRA_EPOLL_PWAIT2))) {
        int r = real()->epoll_pwait2_64(w->epoll.fd, w->epoll.events, w->epoll.max, &ts, w->mask);
        if (r >= 0 || own || !sandbox_refused(EXTRA_EPOLL_PWAIT2, errno)) {
            return r;
        }
        errno = saved;
    }
    return epoll_bulk(w, ns_to_ms_up(ns));
}
#else
static int epoll_rest(struct wait *w, int64_t ns)
{
    return epoll_bulk(w, ns_to_ms_up(ns));
}
#endif

static int epoll_look(struct wait *w)
{
    return epoll_bulk(w, 0);
}

const struct family family_epoll = {epoll_bulk, epoll_rest, epoll_look};

/* The real select, for what poll can't say and where poll may not be called. */

static void restore_sets(struct wait *w)
{
    size_t size = fdsets_size(w->select.nfds);
    for (int i = 0; i < 3; i++) {
        if (w->select.set[i]) {
            memcpy(w->select.set[i], w->select.kept[i], size);
        }
    }
    w->select.cleared = false;
}

static int select_rest(struct wait *w, int64_t ns)
{
    fd_set **set = w->select.set;
    int r;
    if (w->select.cleared) {
        restore_sets(w);
    }
    if (w->call == CALL_SELECT) {
        struct timeval64 tv = ns_to_timeval_up(ns);
        r = real()->select64(w->select.nfds, set[0], set[1], set[2], &tv);
    } else {
        struct timespec64 ts = ns_to_timespec(ns);
        r = real()->pselect64(w->select.nfds, set[0], set[1], set[2], &ts, w->mask);
    }
    w->select.cleared = r == 0;
    return r;
}

static int select_bulk(struct wait *w, int ms)
{
    return select_rest(w, ns_from_ms(ms));
}

static int select_look(struct wait *w)
{
    return select_rest(w, 0);
}

const struct family family_select = {select_bulk, select_rest, select_look};

int stage_sleep(clockid_t clock, int64_t until)
{
    struct timespec64 ts = ns_to_timespec(until > 0 ? until : 0);
    return real()->clock_nanosleep64(clock, TIMER_ABSTIME, &ts, NULL);
}
