/* What the library counts, and the layout of the file it counts in (shared with the command). */
#ifndef HRTIMEOUT_STATS_H
#define HRTIMEOUT_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of wait. Aliases and fortified names count with the function they stand for. */
enum stat_call {
    CALL_POLL,
    CALL_PPOLL,
    CALL_SELECT,
    CALL_PSELECT,
    CALL_EPOLL_WAIT,
    CALL_EPOLL_PWAIT,
    CALL_EPOLL_PWAIT2,
    CALL_NANOSLEEP,
    CALL_CLOCK_NANOSLEEP,
    CALL_USLEEP,
    CALL_SLEEP,
    CALL_THRD_SLEEP,
    CALL_COUNT
};

/* How a wait ended. Zero and infinite are told by the argument, whatever the result was. */
enum stat_end {
    END_TIMEOUT,
    END_READY,
    END_INTERRUPTED,
    END_ERROR,
    END_ZERO,
    END_INFINITE,
    END_COUNT
};

/* What the library did for a wait, or why it passed the wait through. */
enum stat_did {
    DID_STAGE,       /* blocking calls made */
    DID_SPIN,        /* waits that spun to their deadline (exact mode) */
    DID_NO_TOKENS,   /* waits that would have spun, had there been CPU budget */
    DID_PAST,        /* deadlines already past: returned at once */
    DID_RESUME,      /* stages resumed after EINTR (HRTIMEOUT_EINTR=resume) */
    DID_REAL_SELECT, /* selects whose answer only the real select can give */
    PASS_OBSERVE,    /* observe mode */
    PASS_SANDBOX,    /* a system call filter may kill */
    PASS_DENIED,     /* a system call filter answered with an error */
    PASS_POINTER,    /* a pointer that only the kernel can judge */
    PASS_ARGUMENT,   /* a clock, flag or value that isn't understood */
    DID_COUNT
};

/* What users ask to have noticed in a program (the report words them). */
enum stat_notice {
    NOTICE_ZERO_BURST,     /* zero-timeout waits in bursts: a busy loop */
    NOTICE_REARMED,        /* the same timeout again after EINTR: may never end */
    NOTICE_CUT_SHORT,      /* sleeps ended by a signal */
    NOTICE_INVALID,        /* sleeps refused with EINVAL */
    NOTICE_ABSURD,         /* over an hour from a microsecond call: an underflow */
    NOTICE_ZEROED_TIMEVAL, /* select given back the timeval it had counted down to zero */
    NOTICE_HUNG_UP,        /* the same hung-up descriptor reported again and again */
    NOTICE_COUNT
};

/*
 * A log-linear histogram of ns: values below 8 have a slot each, above that every octave has eight
 * slots, so a percentile is right within 12 %. The last slot takes all that is longer (2^40 ns).
 */
#define HIST_STEPS 8
#define HIST_SLOTS 304

struct stat_record {
    uint64_t ended[END_COUNT];
    uint64_t did[DID_COUNT];
    uint64_t notice[NOTICE_COUNT];
    uint64_t spun_ns;
    uint64_t late_sum_ns;
    uint64_t late_max_ns;
    uint64_t early; /* waits that ended before their deadline: must stay 0 */
    uint64_t hist[HIST_SLOTS];
};

#define STATS_MAGIC   "hrtstat"
#define STATS_VERSION 1

struct stats_file {
    char magic[8];          /* STATS_MAGIC with its NUL */
    uint32_t version;       /* STATS_VERSION */
    uint32_t size;          /* sizeof(struct stats_file) */
    uint64_t processes;     /* processes that have mapped the file */
    uint64_t policy_errors; /* environment values that weren't understood */
    struct stat_record call[CALL_COUNT];
};

/* The slot of a lateness in ns; negative counts as 0. */
static inline unsigned hist_slot(int64_t ns)
{
    if (ns < HIST_STEPS) {
        return ns < 0 ? 0 : (unsigned)ns;
    }
    unsigned octave = 63U - (unsigned)__builtin_clzll((unsigned long long)ns);
    unsigned slot = (octave - 2) * HIST_STEPS + (unsigned)((ns >> (octave - 3)) & (HIST_STEPS - 1));
    return slot < HIST_SLOTS ? slot : HIST_SLOTS - 1;
}

/* The smallest lateness in ns that falls into a slot. */
static inline int64_t hist_floor(unsigned slot)
{
    if (slot < HIST_STEPS) {
        return slot;
    }
    return (int64_t)(HIST_STEPS + slot % HIST_STEPS) << (slot / HIST_STEPS - 1);
}

#ifndef HRTIMEOUT_STATS_READER /* the library's own side; the probe's compiler can't read libc's   \
                                */
#include <time.h>

/* NULL when nothing is counted. Set once, in the constructor. */
extern struct stats_file *stats;

/* Maps the file made by the command. Any fault leaves `stats` NULL. Keeps no descriptor. */
void stats_open(const char *path);

/* Counts for this process alone where there is no file: the pinned probe's map needs the same. */
void stats_keep_private(void);

/*
 * The counting itself: only when `stats` isn't NULL. Async-signal-safe; relaxed atomics; errno
 * kept. stats_count_timeout() counts a wait that ended by timeout, `late` ns after its deadline.
 */
void stats_count_did(enum stat_call call, enum stat_did what);
void stats_count_spun(enum stat_call call, int64_t ns);
void stats_count_end(enum stat_call call, enum stat_end end);
void stats_count_timeout(enum stat_call call, int64_t late);
void stats_count_notice(enum stat_call call, enum stat_notice what, unsigned times);

/*
 * For any wait: asked when it starts, told what came of it. `timeout` in ns, 0 for a zero one,
 * negative for an infinite one; `error` 0 or an errno value.
 */
struct stat_wait {
    enum stat_call call;
    int64_t timeout;
    clockid_t clock; /* the policy's, unless the program named its own */
    int64_t deadline;
};
void stats_set_deadline(struct stat_wait *w); /* timeout: more than 0 */
void stats_count_result(const struct stat_wait *w, bool ready, int error);

/* Mostly nothing is counted: that shall cost a test, not a call. */
static inline bool stats_on(void)
{
    return __builtin_expect(stats != NULL, 0);
}

static inline void stats_did(enum stat_call call, enum stat_did what)
{
    if (stats_on()) {
        stats_count_did(call, what);
    }
}

static inline void stats_end(enum stat_call call, enum stat_end end)
{
    if (stats_on()) {
        stats_count_end(call, end);
    }
}

static inline void stats_spun(enum stat_call call, int64_t ns)
{
    if (stats_on()) {
        stats_count_spun(call, ns);
    }
}

static inline struct stat_wait stats_begin(enum stat_call call, int64_t timeout)
{
    struct stat_wait w = {.call = call, .timeout = timeout};
    if (stats_on() && timeout > 0) {
        stats_set_deadline(&w);
    }
    return w;
}

/*
 * A zero-timeout wait, counted before it is made: what comes of it doesn't matter, and the real
 * call can be the last thing that the wrapper does.
 */
void stats_count_zero(enum stat_call call);

static inline void stats_zero(enum stat_call call)
{
    if (stats_on()) {
        stats_count_zero(call);
    }
}

static inline void stats_result(const struct stat_wait *w, bool ready, int error)
{
    if (stats_on()) {
        stats_count_result(w, ready, error);
    }
}
#endif
#endif
