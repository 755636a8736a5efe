/*
 * The probe. A wait is seen where its timer is armed, in the sleeper's own context: the timer's
 * soft expiry is the deadline on CLOCK_MONOTONIC for every call, clock and width, and no argument
 * has to be read. It ends at the system call's exit, whose result says how.
 *
 * hrtimer_start runs under the timer base's lock: preallocated maps only there, and no wake-up.
 */
#include "account.h"
#include "calls.h"
#include "kernel.h"
#include "maps.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

extern const void hrtimer_wakeup __ksym;

/* Which waits to keep. Set before loading. */
const volatile bool by_tgid = false;   /* those in `tgids`, and the children they start */
const volatile bool by_comm = false;   /* of processes called `comm` */
const volatile bool by_cgroup = false; /* of processes in the cgroup with this id, at this depth */
const volatile char wanted_comm[SLACK_COMM] = {};
const volatile uint64_t wanted_cgroup = 0;
const volatile int cgroup_depth = 0;
const volatile bool with_32bit = false; /* the exits of 32-bit programs are seen */

static __always_inline bool comm_is_wanted(struct task_struct *task)
{
    char comm[SLACK_COMM] = {};
    bpf_probe_read_kernel_str(comm, sizeof(comm), &task->group_leader->comm);
    for (int i = 0; i < SLACK_COMM; i++) {
        if (comm[i] != wanted_comm[i]) {
            return false;
        }
        if (!comm[i]) {
            break;
        }
    }
    return true;
}

static __always_inline bool is_wanted(struct task_struct *task, uint32_t tgid)
{
    if (by_tgid && !bpf_map_lookup_elem(&tgids, &tgid)) {
        return false;
    }
    if (by_cgroup && bpf_get_current_ancestor_cgroup_id(cgroup_depth) != wanted_cgroup) {
        return false;
    }
    return !by_comm || comm_is_wanted(task);
}

/* The wait that the current task is in, by its system call; or CALL_NONE or CALL_RESTART. */
static __always_inline int current_call(struct task_struct *task, enum slack_abi *abi)
{
    void *regs = (void *)bpf_task_pt_regs(task);
    struct pt_regs___x86 *x86 = regs;
    struct pt_regs___arm64 *arm = regs;
    *abi = NATIVE;
    if (bpf_core_field_exists(x86->orig_ax)) {
        bool compat = bpf_core_field_exists(task->thread_info.status) &&
                      (task->thread_info.status & TS_COMPAT);
        *abi = compat ? COMPAT_32BIT : NATIVE;
        return call_of(compat ? X86_32 : X86_64, (long)BPF_CORE_READ(x86, orig_ax));
    }
    if (bpf_core_field_exists(arm->syscallno)) {
        bool compat = task->thread_info.flags >> TIF_32BIT & 1;
        *abi = compat ? COMPAT_32BIT : NATIVE;
        return call_of(compat ? ARM_32 : ARM64, BPF_CORE_READ(arm, syscallno));
    }
    return CALL_NONE;
}

/* A restarted wait keeps its kind; one that was given up makes room. Else a new entry. */
static __always_inline void arm(uint32_t tid, struct pending *now, int call)
{
    struct pending *p = bpf_map_lookup_elem(&pending, &tid);
    bool waiting = p && p->state != OVER;
    if (call == CALL_RESTART) {
        if (!waiting) {
            return; /* it began before the probe did */
        }
        now->call = p->call;
        COUNT(restarted);
    } else if (!waiting || p->state == STOPPED) {
        if (waiting) {
            COUNT(interrupted);
        }
        COUNT(armed);
    }
    if (p) {
        *p = *now;
    } else if (bpf_map_update_elem(&pending, &tid, now, BPF_ANY) != 0) {
        COUNT(lost);
    }
}

SEC("tp_btf/hrtimer_start")
int BPF_PROG(on_start, struct hrtimer *timer, int mode)
{
    if (timer->function != &hrtimer_wakeup) {
        return 0;
    }
    struct task_struct *task = bpf_get_current_task_btf();
    enum slack_abi abi = NATIVE;
    int call = task->flags & PF_KTHREAD ? CALL_NONE : current_call(task, &abi);
    if (call == CALL_NONE || (abi == COMPAT_32BIT && !with_32bit) ||
        !is_wanted(task, (uint32_t)task->tgid)) {
        return 0;
    }
    int64_t soft = timer->_softexpires - timer->base->offset;
    struct pending now = {.deadline = soft < 0 ? 0 : (uint64_t)soft,
                          .granted = (uint64_t)(timer->node.expires - timer->_softexpires),
                          .run_delay = run_delay_of(task),
                          .call = (enum stat_call)call,
                          .abi = abi,
                          .state = WAITING};
    /* Descriptor waits arm with an absolute time as well, but were asked for a relative one. */
    now.past = call == CALL_CLOCK_NANOSLEEP && !(mode & HRTIMER_MODE_REL) &&
               now.deadline <= bpf_ktime_get_ns();
    arm((uint32_t)task->pid, &now, call);
    return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(on_expire, struct hrtimer *timer, int64_t *base_now)
{
    if (timer->function != &hrtimer_wakeup) {
        return 0;
    }
    struct task_struct *task = BPF_CORE_READ((struct hrtimer_sleeper *)timer, task);
    uint32_t tid = (uint32_t)BPF_CORE_READ(task, pid);
    struct pending *p = bpf_map_lookup_elem(&pending, &tid);
    int64_t now = 0;
    if (p && p->state != OVER && bpf_probe_read_kernel(&now, sizeof(now), base_now) == 0) {
        p->run_delay = run_delay_of(task);
        p->fire = (uint64_t)(now - timer->base->offset);
    }
    return 0;
}

/*
 * At the exit of a system call. A thread that has an entry is in its wait until the first exit it
 * makes, whatever that is; only after a stop something else may come before the wait goes on.
 */
static __always_inline void finish(long result)
{
    enum slack_abi abi;
    uint32_t tid = (uint32_t)bpf_get_current_pid_tgid();
    struct pending *p = bpf_map_lookup_elem(&pending, &tid);
    if (!p || p->state == OVER) {
        return;
    }
    uint64_t now = bpf_ktime_get_ns();
    if (p->state == STOPPED && current_call(bpf_get_current_task_btf(), &abi) != CALL_RESTART) {
        COUNT(interrupted); /* a handler ran, and this is another call */
        p->state = OVER;
        return;
    }
    if (result == -ERESTART_BLOCK) {
        p->state = STOPPED;
        return;
    }
    if (result == 0 && p->past) {
        COUNT(past);
    } else if (result == 0) {
        COUNT(timed_out);
        timed_out(p, now);
    } else if (result > 0) {
        COUNT(woken_early);
    } else if (result == -EINTR || (result <= -ERESTARTSYS && result >= -ERESTARTNOHAND)) {
        COUNT(interrupted);
    } else {
        COUNT(failed);
    }
    p->state = OVER;
}

/* Attached to syscalls/sys_exit_* of the waits only, so other calls pay next to nothing. */
struct sys_exit {
    uint64_t common;
    int number;
    int unused;
    long result;
};

SEC("tracepoint")
int on_wait_exit(struct sys_exit *exit)
{
    finish(exit->result);
    return 0;
}

/* Without tracefs, or for 32-bit programs: every system call's exit. */
SEC("tp_btf/sys_exit")
int BPF_PROG(on_any_exit, void *regs, long result)
{
    finish(result);
    return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
    uint32_t tgid = (uint32_t)child->tgid;
    uint32_t from = (uint32_t)parent->tgid;
    if (tgid != (uint32_t)child->pid) {
        return 0; /* a thread */
    }
    if (by_tgid && bpf_map_lookup_elem(&tgids, &from)) {
        uint8_t one = 1;
        bpf_map_update_elem(&tgids, &tgid, &one, BPF_ANY);
    }
    uint64_t *word = has_library(from) ? loaded_word(tgid) : NULL;
    if (word) {
        __sync_fetch_and_or(word, 1ULL << (tgid % 64));
    }
    return 0;
}

static __always_inline void forget_library(uint32_t tgid)
{
    uint64_t *word = loaded_word(tgid);
    if (word && (*word >> (tgid % 64) & 1)) {
        __sync_fetch_and_and(word, ~(1ULL << (tgid % 64)));
    }
}

/* The new program may not be preloaded; if it is, it says so again. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *task)
{
    forget_library((uint32_t)task->tgid);
    return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
    uint32_t tid = (uint32_t)task->pid, tgid = (uint32_t)task->tgid;
    struct pending *p = bpf_map_lookup_elem(&pending, &tid);
    if (p) {
        if (p->state != OVER) {
            COUNT(interrupted); /* killed while it waited */
        }
        bpf_map_delete_elem(&pending, &tid);
    }
    if (task->signal->live.counter == 0) {
        forget_library(tgid);
        if (by_tgid) {
            bpf_map_delete_elem(&tgids, &tgid);
        }
    }
    return 0;
}
