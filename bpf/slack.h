/*
 * What the probe keeps, shared by the BPF program, the command and the preloaded library: plain C
 * types, nothing of libbpf. The names are what `bpftool map dump` shows.
 */
#ifndef HRTIMEOUT_SLACK_RECORDS_H
#define HRTIMEOUT_SLACK_RECORDS_H

#include "../shim/stats.h"

/* Where the probe pins its links and maps. The library looks for the last three at start. */
#define SLACK_PINS       "/sys/fs/bpf/hrtimeout"
#define SLACK_PIN_WAITS  SLACK_PINS "/waits"
#define SLACK_PIN_FINE   SLACK_PINS "/waits_fine"
#define SLACK_PIN_LOADED SLACK_PINS "/loaded"

enum slack_abi { NATIVE, COMPAT_32BIT };

/* STAGE: a process with the library, whose own figures are in `waits`; the kernel sees its stages.
 */
enum slack_source { KERNEL, STAGE };

#define SLACK_COMM 16

struct slack_key {
    uint32_t tgid; /* 0: processes that have ended, folded together by name */
    enum stat_call call;
    enum slack_abi abi;
    enum slack_source source;
    char comm[SLACK_COMM]; /* the process's, not the thread's */
};

/* Waits by lateness, each from the limit before it. */
struct slack_buckets {
    uint64_t lt_1us, lt_2us, lt_5us;
    uint64_t lt_10us, lt_20us, lt_50us;
    uint64_t lt_100us, lt_200us, lt_500us;
    uint64_t lt_1ms, lt_2ms, lt_5ms;
    uint64_t lt_10ms, lt_20ms, lt_50ms;
    uint64_t lt_100ms, ge_100ms;
};
#define SLACK_BUCKETS (sizeof(struct slack_buckets) / sizeof(uint64_t))

/* Where the lateness came from. The four add up to it, in every wait and so in every sum. */
struct slack_parts {
    uint64_t timer_slack_ns; /* the kernel let the timer fire later, as it may */
    uint64_t interrupt_ns;   /* the interrupt came after even that */
    uint64_t run_queue_ns;   /* woken, but waiting for a CPU */
    uint64_t return_ns;      /* the rest: the wake-up itself and the way back */
};

struct slack_row {
    uint64_t waits; /* that ended by timeout */
    uint64_t late_sum_ns;
    uint64_t late_max_ns;
    struct slack_parts parts;
    struct slack_buckets late;
};

/* The same waits by the library's finer histogram. */
struct slack_fine {
    uint64_t hist[HIST_SLOTS];
};

/* armed = timed_out + past + woken_early + interrupted + failed + lost + those that still wait */
struct slack_stats {
    uint64_t armed;     /* waits that set a timer */
    uint64_t timed_out; /* ended by timeout: these are in the rows, but for map_full */
    uint64_t past; /* absolute deadlines that were past when asked for: not late, not counted */
    uint64_t woken_early; /* something was ready */
    uint64_t restarted;   /* stopped and continued, the wait goes on */
    uint64_t interrupted; /* by a signal, or the task ended */
    uint64_t failed;      /* any other error */
    uint64_t lost;        /* more threads that wait than there is room for */
    uint64_t map_full;    /* no row left for a process */
    uint64_t
        fire_unseen; /* timed out, but the timer's interrupt wasn't traced: parts are coarser */
    uint64_t sample_lost; /* --samples: not written, the reader was too slow */
};

/* One wait that ended by timeout, for --samples. */
struct slack_sample {
    struct slack_key key;
    uint32_t tid;
    uint32_t unused;
    uint64_t deadline_ns; /* CLOCK_MONOTONIC */
    uint64_t late_ns;
    struct slack_parts parts;
};

#define SLACK_ROWS    2048
#define SLACK_PENDING 16384 /* threads that have waited */

/*
 * The library's own waits: one row a process and kind of wait, claimed on first use by setting a
 * zero `owner`, then filled by nobody else. The rows of ended processes are used again.
 */
struct waits_row {
    uint64_t owner;    /* process id; 0: free; more bits: see below */
    uint64_t since_ns; /* CLOCK_BOOTTIME when claimed: a process that began later isn't the owner */
    enum stat_call call;
    uint32_t parent; /* not 0: forked from this process after the library had started there */
    char comm[SLACK_COMM];
    uint64_t waits;
    uint64_t late_sum_ns;
    uint64_t late_max_ns;
    struct slack_buckets late;
};

#define WAITS_BUSY   (UINT64_C(1) << 63) /* being claimed or given back */
#define WAITS_SHARED (UINT64_C(1) << 62) /* of all processes that found no row of their own */

#define WAITS_ROWS 512
#define WAITS_OTHERS                                                                               \
    (WAITS_ROWS - CALL_COUNT) /* from here one a call, shared when the rest is taken */

/* One bit a process id: the library counts this process's waits itself. */
#define LOADED_WORDS (4194304 / 64)

/* The same in 32-bit programs, which align 64-bit numbers differently. */
_Static_assert(sizeof(struct waits_row) == 64 + sizeof(struct slack_buckets), "no padding");
_Static_assert(sizeof(struct slack_buckets) == 17 * sizeof(uint64_t), "no padding");

static inline unsigned slack_bucket(uint64_t ns)
{
    uint64_t limit = 1000;
    unsigned i = 0;
    for (unsigned decade = 0; decade < 5; decade++, limit *= 10) {
        i += ns >= limit;
        i += ns >= 2 * limit;
        i += ns >= 5 * limit;
    }
    return i + (ns >= limit);
}

/* hist_slot() without the count of leading zeros, which clang 14 can't compile for BPF. */
static inline unsigned slack_fine_slot(uint64_t ns)
{
    if (ns < HIST_STEPS) {
        return (unsigned)ns;
    }
    unsigned octave = 0;
    uint64_t left = ns;
    for (unsigned half = 32; half; half /= 2) {
        if (left >> half) {
            left >>= half;
            octave += half;
        }
    }
    unsigned slot = (octave - 2) * HIST_STEPS + (unsigned)((ns >> (octave - 3)) & (HIST_STEPS - 1));
    return slot < HIST_SLOTS ? slot : HIST_SLOTS - 1;
}

#endif
