/*
 * Exact mode's knowledge of a thread: how late its own stages wake (the margin), and how much it
 * may spin (the CPU budget). All of it is thread-local; nothing here makes a system call.
 */
#ifndef HRTIMEOUT_MARGIN_H
#define HRTIMEOUT_MARGIN_H

#include <stdbool.h>
#include <stdint.h>

/* Sleeps and waits for descriptors wake by different paths in the kernel, and so apart. */
enum margin_kind { MARGIN_SLEEP, MARGIN_DESCRIPTOR, MARGIN_KINDS };

/* The longest margin there is, in ns: bounds each spin. */
#define MARGIN_MAX INT64_C(250000)

/*
 * Takes the budget in percent of a core (1 to 100; 100 is no limit). False where a spin can't help:
 * with one CPU it would keep away the very work that is waited for. Constructor only.
 */
bool margin_init(unsigned percent);

/*
 * How many ns before its deadline a stage is to be aimed, 0 to MARGIN_MAX, for a wait with `left`
 * ns to go at `now`; 0: no budget (or a real-time thread), don't spin. `now` is CLOCK_MONOTONIC or
 * CLOCK_BOOTTIME.
 */
int64_t margin_aim(enum margin_kind kind, int64_t left, int64_t now);

/* A stage aimed at an instant woke `late` ns after it. */
void margin_learn(enum margin_kind kind, int64_t late);

/* The spin took `ns`. */
void margin_pay(int64_t ns);

#endif
