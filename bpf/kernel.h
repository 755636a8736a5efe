/*
 * The few kernel structures that the probe looks into, with only the members it reads. CO-RE finds
 * where they really are on the running kernel, so none of this has to match in order or size.
 */
#ifndef HRTIMEOUT_KERNEL_H
#define HRTIMEOUT_KERNEL_H

#include <stdint.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct timerqueue_node {
    int64_t expires;
};

struct hrtimer_clock_base {
    int64_t offset; /* to CLOCK_MONOTONIC */
};

struct hrtimer {
    struct timerqueue_node node;
    int64_t _softexpires;
    void *function;
    struct hrtimer_clock_base *base;
};

struct hrtimer_sleeper {
    struct hrtimer timer;
    struct task_struct *task;
};

struct thread_info {
    unsigned long flags; /* arm64: TIF_32BIT */
    uint32_t status;     /* x86: TS_COMPAT */
};

struct sched_info {
    unsigned long long run_delay;
};

struct signal_struct {
    struct {
        int counter;
    } live;
};

struct task_struct {
    struct thread_info thread_info;
    unsigned int flags;
    int pid, tgid;
    struct task_struct *group_leader;
    struct sched_info sched_info;
    struct signal_struct *signal;
    char comm[16];
};

/* One name, two machines: what follows ___ doesn't count. */
struct pt_regs___x86 {
    unsigned long orig_ax;
};

struct pt_regs___arm64 {
    int syscallno;
};

#pragma clang attribute pop

#define PF_KTHREAD       0x00200000
#define TS_COMPAT        0x0002
#define TIF_32BIT        22
#define HRTIMER_MODE_REL 0x01
#define EINTR            4
#define ERESTARTSYS      512
#define ERESTARTNOHAND   514
#define ERESTART_BLOCK   516 /* restart_syscall goes on, unless a handler runs */

#endif
