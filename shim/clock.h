/*
 * The clock, read without libc's symbol: an interposed clock_gettime (libfaketime's, say) shows the
 * time that the program shall see, not the time that the kernel's timers count.
 */
#ifndef HRTIMEOUT_CLOCK_H
#define HRTIMEOUT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Finds the vDSO. Without one, clock_now() makes the system call that libc would make. */
void clock_init(void);

/*
 * Whether reading the clock makes no system call (as far as the vDSO says): else a filter that may
 * kill could kill there.
 */
bool clock_is_free(void);

/* The time on `clock` in ns. Any clock the kernel always has. Async-signal-safe, errno untouched.
 */
int64_t clock_now(clockid_t clock);

#endif
