/* What came of a wait, in facts that don't depend on when exactly anything ran. */
#include "event.h"
#include "trace.h"
#include "wait.h"
#include "world.h"

#include <errno.h>
#include <string.h>

/* clock_nanosleep and thrd_sleep don't use errno. */
static bool returns_error(enum call call)
{
    return call == CALL_CLOCK_NANOSLEEP || call == CALL_THRD_SLEEP;
}

bool wait_timed_out(const struct wait *w)
{
    return w->result == 0;
}

bool wait_early(const struct wait *w)
{
    const struct op *op = w->op;
    bool absolute = op->call == CALL_CLOCK_NANOSLEEP && op->flags & TIMER_ABSTIME;
    if (!wait_timed_out(w) || (op->timeout != TIMEOUT_SHORT && op->timeout != TIMEOUT_LONG)) {
        return false;
    }
    if (absolute) {
        return w->rem_given != &w->ts && w->clock_after < w->ts.tv_sec * S + w->ts.tv_nsec;
    }
    return w->after - w->before < op->ns;
}

/*
 * What is left of a timeout. The call took no longer than after - before, and began no earlier than
 * `before`, which bounds it; a native sleep's own rest includes the slack, so there is some room.
 */
static const char *left(const struct wait *w, int64_t rest, int64_t asked, int64_t event_from)
{
    int64_t low = asked - (w->after - w->before) - 2 * US, high = asked + 100 * US;
    if (asked < 0 || asked > 1000000 * S) {
        return rest > 1000000 * S ? "huge" : rest < 0 ? "negative" : "small";
    }
    if (event_from > w->before) {
        high -= event_from - w->before;
        if (rest > high && rest <= high + GUARD) {
            high = rest; /* entered late */
        }
    }
    if (rest < 0 || rest > asked + 100 * US) {
        return "wild";
    }
    return rest < low ? "too little" : rest > high ? "too much" : "right";
}

static int64_t in_ns(long seconds, long ns)
{
    int64_t whole;
    if (__builtin_mul_overflow((int64_t)seconds, (int64_t)S, &whole) ||
        __builtin_add_overflow(whole, (int64_t)ns, &whole)) {
        return seconds < 0 ? INT64_MIN : INT64_MAX;
    }
    return whole;
}

static void report_timeval(const struct wait *w, int64_t event_from)
{
    int64_t rest = in_ns(w->tv.tv_sec, w->tv.tv_usec * US);
    int64_t asked = in_ns(w->tv_before.tv_sec, w->tv_before.tv_usec * US);
    if (!w->tv_given) {
        return;
    }
    if (w->tv_before.tv_sec < 0 || w->tv_before.tv_usec < 0 || asked == 0 || w->nfds < 0) {
        bool same = !memcmp(&w->tv, &w->tv_before, sizeof(w->tv));
        /* A few us are gone before the call is refused, or nearly: that says nothing. */
        say(" tv %s", same ? "same" : rest || asked < 100 * US ? "changed" : "zero");
    } else if (wait_timed_out(w)) {
        say(" tv %s", rest ? "nonzero" : "zero");
    } else {
        say(" tv %s", left(w, rest, asked, event_from));
    }
}

static void report_rem(const struct wait *w, int64_t event_from)
{
    const struct op *op = w->op;
    bool absolute = op->call == CALL_CLOCK_NANOSLEEP && op->flags & TIMER_ABSTIME;
    struct timespec t;
    if (!w->rem_given || op->pointer == PTR_REM_NOWHERE || op->call == CALL_USLEEP ||
        op->call == CALL_SLEEP) {
        return;
    }
    if (op->role == ROLE_STOP && wait_timed_out(w)) {
        return; /* the kernel notes the rest when it stops, and lets it stand: nobody's business */
    }
    memcpy(&t, w->rem_given, sizeof(t));
    if (t.tv_sec == -123 && t.tv_nsec == -456) {
        say(" rem same");
    } else if (absolute) {
        say(" rem %s", op->pointer == PTR_REM_ALIAS ? "alias" : "written");
    } else {
        int64_t rest = in_ns(t.tv_sec, t.tv_nsec);
        say(" rem %s%s", t.tv_nsec < 0 || t.tv_nsec >= S ? "denormal " : "",
            wait_timed_out(w)
                ? rest == op->ns ? "as asked" : "changed"
                : left(w, rest, op->timeout == TIMEOUT_HUGE ? -1 : op->ns, event_from));
    }
}

static void report_poll(const struct wait *w)
{
    say(" revents");
    for (int i = 0; i < w->nfds; i++) {
        say(" %x", (unsigned short)w->fds[i].revents);
    }
}

static void report_select(const struct wait *w)
{
    say(" sets");
    for (int s = 0; s < 3; s++) {
        say(" ");
        for (int i = 0; i < w->op->items; i++) {
            int fd = world[w->op->item[i].desc].fd;
            bool in = fd >= 0 && w->sets[s][fd / 8] >> fd % 8 & 1;
            say("%c", in ? 'a' + i : '-');
        }
    }
}

static void report_epoll(const struct wait *w)
{
    say(" events");
    for (long i = 0; i < w->result && i < MAX_ITEMS; i++) {
        say(" %u:%x", w->events[i].data.u32, w->events[i].events);
    }
    const unsigned char *rest =
        (const unsigned char *)(w->events + (w->result > 0 ? w->result : 0));
    const unsigned char *end = (const unsigned char *)(w->events + MAX_ITEMS);
    while (rest < end && *rest == 0x5a) {
        rest++;
    }
    say("%s", rest == end ? "" : " and more written");
}

void wait_report(const struct wait *w, int64_t event_from)
{
    const struct op *op = w->op;
    if (returns_error(op->call)) {
        say("  -> %ld %s errno %s", w->result, w->result > 0 ? error_name((int)w->result) : "",
            error_name(w->error));
    } else {
        say("  -> %ld %s", w->result, error_name(w->error));
    }
    if (is_poll(op->call) && op->pointer != PTR_READONLY) {
        report_poll(w);
    } else if (is_select(op->call)) {
        report_select(w);
        if (op->call != CALL_PSELECT) {
            report_timeval(w, event_from);
        }
    } else if (is_epoll(op->call)) {
        report_epoll(w);
    } else if (is_sleep(op->call)) {
        report_rem(w, event_from);
    }
    say("%s%s\n", slots_whole(&w->slots) ? "" : " WROTE BEYOND", wait_early(w) ? " EARLY" : "");
    if (op->items) {
        say("  readable");
        for (int i = 0; i < op->items; i++) {
            say(" %d", world_readable(op->item[i].desc));
        }
        say("\n");
    }
}
