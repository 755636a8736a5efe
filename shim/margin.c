#include "margin.h"

#include "deadline.h"
#include "sandbox.h"

#include <errno.h>
#include <sched.h>

#define MARGIN_MIN   3000
#define MARGIN_FIRST 100000
#define BUCKET_MAX   2000000 /* ns: the longest spin after an idle time */
#define BUCKET_FIRST 500000

/*
 * The longer a wait, the more its wake-ups scatter and the less a spin matters: 1/256 of its length
 * on top of the margin costs at most 0.4 % of a core.
 */
#define EXTRA_SHIFT 8

/* A wake later than this is the run queue's doing: no margin would have helped. */
#define LATE_MAX (2 * MARGIN_MAX)

/* After this time what was learned says little: the CPU may be another, or deeper asleep. */
#define STALE NS_PER_SEC

/* A thread's scheduling class may change: look once in so many refills. */
#define ASK_EVERY 4096

/* Two quantiles of how late a thread wakes, in ns. */
struct margin {
    int32_t high; /* aiming this early, hardly a wake comes too late: costs a spin */
    int32_t low; /* aiming this early, hardly a wake comes before the deadline: costs almost none */
};

static __thread struct {
    struct margin margin[MARGIN_KINDS];
    int64_t refilled; /* when tokens were last added; 0: never */
    int32_t tokens;   /* ns that may be spun; below 0: spun in advance */
    uint16_t asked;   /* refills since the kernel was asked about the scheduling class */
    bool realtime;    /* SCHED_FIFO or SCHED_RR: spinning would keep others away */
} self;

static unsigned percent;

bool margin_init(unsigned budget)
{
    cpu_set_t cpus;
    percent = budget;
    if (sandbox() == SANDBOX_MAY_KILL) {
        return true; /* nothing may be asked; the budget bounds the harm */
    }
    return sched_getaffinity(0, sizeof(cpus), &cpus) != 0 || CPU_COUNT(&cpus) > 1;
}

/* Where a filter may kill nothing may be asked, and the thread counts as an ordinary one. */
static void ask_class(void)
{
    self.asked = 0;
    if (sandbox() == SANDBOX_MAY_KILL) {
        return;
    }
    int saved = errno;
    int class = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    self.realtime = class == SCHED_FIFO || class == SCHED_RR;
    errno = saved;
}

static int32_t clamp(int64_t value, int32_t low, int32_t high)
{
    if (value < low) {
        return low;
    }
    return value > high ? high : (int32_t)value;
}

/*
 * elapsed * percent / 100 without a 64-bit division, and a little less (10276/2^20 is 1/102), since
 * the first fill and a spin's last overshoot come on top. The longest time that counts bounds what
 * is multiplied.
 */
static void refill(int64_t now)
{
    int64_t elapsed = now - self.refilled;
    if (self.refilled == 0) {
        self.tokens = BUCKET_FIRST;
        for (int i = 0; i < MARGIN_KINDS; i++) {
            self.margin[i] = (struct margin){MARGIN_FIRST, MARGIN_MIN};
        }
        ask_class();
    } else if (elapsed > STALE) {
        self.tokens = BUCKET_MAX;
        for (int i = 0; i < MARGIN_KINDS; i++) {
            self.margin[i].high = clamp(self.margin[i].high, MARGIN_FIRST, MARGIN_MAX);
        }
    } else if (elapsed > 0) {
        self.tokens =
            clamp(self.tokens + ((elapsed * percent * 10276) >> 20), -BUCKET_MAX, BUCKET_MAX);
    }
    if (++self.asked == ASK_EVERY) {
        ask_class();
    }
    self.refilled = now;
}

int64_t margin_aim(enum margin_kind kind, int64_t left, int64_t now)
{
    refill(now);
    if (self.realtime) {
        return 0;
    }
    int64_t low = self.margin[kind].low;
    int64_t high = clamp(self.margin[kind].high + (left >> EXTRA_SHIFT), 0, MARGIN_MAX);
    if (percent >= 100) {
        return high;
    }
    /* A wait shorter than the margin is spun from its start. */
    if (self.tokens >= (left < high ? left : high)) {
        return high;
    }
    return self.tokens >= low ? low : 0;
}

void margin_learn(enum margin_kind kind, int64_t late)
{
    if (late > LATE_MAX) {
        return;
    }
    struct margin *m = &self.margin[kind];
    int64_t above = late - m->high;
    int64_t step = above > 0 ? (above >> 2) + 1500 : -((-above >> 7) + 45);
    m->high = clamp(m->high + (step > 30000 ? 30000 : step), MARGIN_MIN, MARGIN_MAX);
    int64_t below = late - m->low;
    m->low = clamp(m->low + (below > 0 ? 60 : -((-below >> 2) + 300)), 0, m->high);
}

void margin_pay(int64_t ns)
{
    if (percent < 100) {
        self.tokens -= clamp(ns, 0, BUCKET_MAX);
    }
}
