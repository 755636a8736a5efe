/*
 * Counting this process's waits in the pinned probe's map, where there is one: the kernel sees only
 * stages, which exact mode aims early on purpose.
 */
#ifndef HRTIMEOUT_WAITS_H
#define HRTIMEOUT_WAITS_H

#include "stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct waits_row;

/* NULL when the probe isn't pinned. Set once, in the constructor. */
extern struct waits_row *waits_rows;

/* For the constructor, and only where no system call filter is on. Any fault means no counting. */
void waits_open(void);

/*
 * A wait that ended by timeout, `late` ns after the deadline that the program asked for. No system
 * call; async-signal-safe. A child counts apart from its parent (see waits.c), a vfork child, which
 * is the parent's memory, with it.
 */
void waits_record(enum stat_call call, int64_t late);

static inline bool waits_counted(void)
{
    return waits_rows != NULL;
}

#endif
