/* The settings: HRTIMEOUT_* in the environment, read once at start. The command uses it as well. */
#ifndef HRTIMEOUT_POLICY_H
#define HRTIMEOUT_POLICY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum mode {
    MODE_EARLY, /* the constructor hasn't run: everything passes through */
    MODE_OFF,   /* not chosen by ONLY, or chosen by SKIP: as if it weren't loaded */
    MODE_OBSERVE,
    MODE_TIMER,
    MODE_EXACT
};

enum writeback {
    WRITEBACK_LIBC,  /* as this libc's select does */
    WRITEBACK_LINUX, /* as the raw system calls: select, pselect and ppoll */
    WRITEBACK_NONE
};

enum sandbox_setting {
    SANDBOX_AUTO,  /* ask the kernel at start */
    SANDBOX_TRUST, /* a filter answers with an error: everything may be tried */
    SANDBOX_SAME   /* a filter may kill: only libc's own system calls */
};

#define SLACK_DEFAULT (-1) /* 1 ns, unless something but the kernel's default is in force */
#define SLACK_KEEP    (-2)

struct policy {
    enum mode mode;
    bool resume; /* HRTIMEOUT_EINTR=resume */
    enum writeback writeback;
    enum sandbox_setting sandbox;
    clockid_t clock; /* CLOCK_MONOTONIC or CLOCK_BOOTTIME: what relative waits count on */
    int64_t slack;   /* ns, or one of SLACK_* */
    unsigned cpu;    /* percent of a core that exact mode may spin, 1 to 100; 100 = no limit */
    const char *stats_path;  /* NULL: nothing is counted */
    const char *only, *skip; /* comma-separated program names, NULL for none */
    unsigned errors;         /* settings that weren't understood and so left alone */
};

/* The settings in force. Written in the constructor only. */
extern struct policy policy;

/*
 * Sets one value; `name` without its HRTIMEOUT_ prefix (MODE, SLACK, CPU, EINTR, WRITEBACK, CLOCK,
 * STATS, SANDBOX, ONLY, SKIP). False, and nothing changed, when name or value isn't understood.
 * The strings are kept by reference.
 */
bool policy_set(struct policy *p, const char *name, const char *value);

/* What a setting takes, for an error message: "observe, timer or exact". NULL: no such setting. */
const char *policy_takes(const char *name);

/* Fills `p` from the environment, as secure_getenv(3) would. Whether this program is meant is in
 * p->mode. */
void policy_read(struct policy *p);

/* True when `program` (a path or name) is in the comma-separated `list`. */
bool policy_lists(const char *list, const char *program);

#endif
