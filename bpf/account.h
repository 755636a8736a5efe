/* Counting a wait: counters, rows, the four parts, samples. */
#ifndef HRTIMEOUT_ACCOUNT_H
#define HRTIMEOUT_ACCOUNT_H

#include "kernel.h"
#include "maps.h"

/* Set before loading: each wait is also written to `samples`. */
const volatile bool samples_wanted = false;

static const struct slack_row no_row;
static const struct slack_fine no_fine;

static __always_inline struct slack_stats *counters(void)
{
    uint32_t zero = 0;
    return bpf_map_lookup_elem(&stats, &zero);
}

#define COUNT(counter)                                                                             \
    do {                                                                                           \
        struct slack_stats *counted = counters();                                                  \
        if (counted) {                                                                             \
            __sync_fetch_and_add(&counted->counter, 1);                                            \
        }                                                                                          \
    } while (0)

static __always_inline uint64_t run_delay_of(struct task_struct *task)
{
    if (!bpf_core_field_exists(task->sched_info)) {
        return 0;
    }
    return BPF_CORE_READ(task, sched_info.run_delay);
}

static __always_inline uint64_t *loaded_word(uint32_t tgid)
{
    uint32_t word = tgid / 64;
    return bpf_map_lookup_elem(&loaded, &word);
}

static __always_inline bool has_library(uint32_t tgid)
{
    uint64_t *word = loaded_word(tgid);
    return word && (*word >> (tgid % 64) & 1);
}

static __always_inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Splits `late` exactly: each part takes at most what the ones before have left. */
static __always_inline void split(const struct pending *p, uint64_t late, uint64_t run_delay,
                                  struct slack_parts *parts)
{
    uint64_t fired = p->fire > p->deadline ? p->fire - p->deadline : 0;
    if (!p->fire) {
        fired = late;
        COUNT(fire_unseen);
    }
    fired = least(fired, late);
    parts->timer_slack_ns = least(fired, p->granted);
    /* Without the interrupt's time, what lies beyond the slack may be anybody's. */
    parts->interrupt_ns = p->fire ? fired - parts->timer_slack_ns : 0;
    uint64_t left = late - parts->timer_slack_ns - parts->interrupt_ns;
    uint64_t queued = run_delay > p->run_delay ? run_delay - p->run_delay : 0;
    parts->run_queue_ns = least(queued, left);
    parts->return_ns = left - parts->run_queue_ns;
}

static __always_inline struct slack_row *row_of(const struct slack_key *key)
{
    struct slack_row *row = bpf_map_lookup_elem(&slack, key);
    if (row) {
        return row;
    }
    /* Another CPU may have made it meanwhile: then that one is found. */
    bpf_map_update_elem(&slack, key, &no_row, BPF_NOEXIST);
    bpf_map_update_elem(&slack_fine, key, &no_fine, BPF_NOEXIST);
    return bpf_map_lookup_elem(&slack, key);
}

static __always_inline void raise_max(uint64_t *max, uint64_t late)
{
    uint64_t seen = *max;
    for (int tries = 0; tries < 4 && late > seen; tries++) {
        uint64_t was = __sync_val_compare_and_swap(max, seen, late);
        if (was == seen) {
            break;
        }
        seen = was;
    }
}

static __always_inline void add_to_row(const struct slack_key *key, uint64_t late,
                                       const struct slack_parts *parts)
{
    struct slack_row *row = row_of(key);
    if (!row) {
        COUNT(map_full);
        return;
    }
    uint64_t *buckets = (uint64_t *)&row->late;
    __sync_fetch_and_add(&row->waits, 1);
    __sync_fetch_and_add(&row->late_sum_ns, late);
    __sync_fetch_and_add(&row->parts.timer_slack_ns, parts->timer_slack_ns);
    __sync_fetch_and_add(&row->parts.interrupt_ns, parts->interrupt_ns);
    __sync_fetch_and_add(&row->parts.run_queue_ns, parts->run_queue_ns);
    __sync_fetch_and_add(&row->parts.return_ns, parts->return_ns);
    unsigned bucket = slack_bucket(late);
    if (bucket < SLACK_BUCKETS) {
        __sync_fetch_and_add(&buckets[bucket], 1);
    }
    raise_max(&row->late_max_ns, late);

    struct slack_fine *fine = bpf_map_lookup_elem(&slack_fine, key);
    unsigned slot = slack_fine_slot(late);
    if (fine && slot < HIST_SLOTS) {
        __sync_fetch_and_add(&fine->hist[slot], 1);
    }
}

static __always_inline void write_sample(const struct slack_key *key, const struct pending *p,
                                         uint64_t late, const struct slack_parts *parts)
{
    struct slack_sample *s = bpf_ringbuf_reserve(&samples, sizeof(*s), 0);
    if (!s) {
        COUNT(sample_lost);
        return;
    }
    s->key = *key;
    s->tid = (uint32_t)bpf_get_current_pid_tgid();
    s->unused = 0;
    s->deadline_ns = p->deadline;
    s->late_ns = late;
    s->parts = *parts;
    bpf_ringbuf_submit(s, BPF_RB_NO_WAKEUP); /* a wake-up for each would be what it measures */
}

static __always_inline void timed_out(const struct pending *p, uint64_t now)
{
    struct task_struct *task = bpf_get_current_task_btf();
    struct slack_parts parts;
    struct slack_key key = {};
    uint64_t late = now > p->deadline ? now - p->deadline : 0;
    split(p, late, run_delay_of(task), &parts);
    key.tgid = (uint32_t)task->tgid;
    key.call = p->call;
    key.abi = p->abi;
    key.source = has_library(key.tgid) ? STAGE : KERNEL;
    bpf_probe_read_kernel_str(key.comm, sizeof(key.comm), &task->group_leader->comm);
    add_to_row(&key, late, &parts);
    if (samples_wanted) {
        write_sample(&key, p, late, &parts);
    }
}

#endif
