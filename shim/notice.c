#include "notice.h"

#include "deadline.h"

#include <errno.h>

/* From so many in a row on it's a loop, and each further one is counted. */
#define RUN 16

/* A burst of zero-timeout waits is at least this long, and counted by as many. */
#define ZERO_STEP 64

/* What a microsecond call isn't asked for on purpose. */
#define ABSURD_SECONDS 3600

static __thread struct {
    int64_t interrupted_timeout; /* of the last wait, when a signal ended it; else 0 */
    const void *zeroed;          /* the timeval last counted down to zero */
    uint64_t hung_up;            /* the descriptor (or epoll's data) last seen hung up */
    uint32_t zero_run;           /* zero-timeout waits in a row that found nothing */
    uint8_t interrupted_call;
    uint8_t hung_up_run;
} self;

/* Counts `run` up, not beyond what it holds; true once it's a loop. */
static bool runs(uint8_t *run)
{
    *run = (uint8_t)(*run + (*run < RUN));
    return *run >= RUN;
}

/* Counted in steps, so that it costs one more addition only now and then. */
void notice_zero(enum stat_call call)
{
    if (++self.zero_run % ZERO_STEP == 0) {
        stats_count_notice(call, NOTICE_ZERO_BURST, ZERO_STEP);
    }
}

static void notice_sleep(const struct stat_wait *w, int error)
{
    if (error == EINTR) {
        stats_count_notice(w->call, NOTICE_CUT_SHORT, 1);
    } else if (error == EINVAL) {
        stats_count_notice(w->call, NOTICE_INVALID, 1);
    }
    if (w->call == CALL_USLEEP && w->timeout > ABSURD_SECONDS * NS_PER_SEC) {
        stats_count_notice(w->call, NOTICE_ABSURD, 1);
    }
}

void notice_result(const struct stat_wait *w, int error)
{
    self.zero_run = 0;
    if (w->call >= CALL_NANOSLEEP) {
        notice_sleep(w, error);
    }
    if (w->timeout > 0 && self.interrupted_timeout == w->timeout &&
        self.interrupted_call == w->call) {
        stats_count_notice(w->call, NOTICE_REARMED, 1);
    }
    self.interrupted_timeout = error == EINTR ? w->timeout : 0;
    self.interrupted_call = (uint8_t)w->call;
}

static void hung_up(enum stat_call call, bool now, uint64_t what)
{
    if (!now || self.hung_up != what) {
        self.hung_up_run = 0;
    }
    self.hung_up = what;
    if (now && runs(&self.hung_up_run)) {
        stats_count_notice(call, NOTICE_HUNG_UP, 1);
    }
}

void notice_poll(enum stat_call call, const struct pollfd *fds, nfds_t count)
{
    for (nfds_t i = 0; i < count; i++) {
        if (fds[i].revents) {
            hung_up(call, fds[i].revents & (POLLHUP | POLLNVAL) && !(fds[i].revents & POLLIN),
                    (uint64_t)fds[i].fd);
            return;
        }
    }
}

void notice_epoll(enum stat_call call, const struct epoll_event *events, int count)
{
    if (count > 0) {
        hung_up(call, events[0].events & EPOLLHUP && !(events[0].events & EPOLLIN),
                events[0].data.u64);
    }
}

void notice_counted_down(const struct timeval64 *tv)
{
    self.zeroed = tv;
}

void notice_zero_timeval(const struct timeval64 *tv)
{
    if (tv == self.zeroed) {
        stats_count_notice(CALL_SELECT, NOTICE_ZEROED_TIMEVAL, 1);
    }
}
