/* The remaining time, written back to the caller: who does, and into what. */
#ifndef HRTIMEOUT_WRITEBACK_H
#define HRTIMEOUT_WRITEBACK_H

#include "time64.h"

#include <stdint.h>

/*
 * select's timeval: `left` ns, cut to us. As HRTIMEOUT_WRITEBACK says; under
 * STICKY_TIMEOUTS the time asked for, as libc does. Memory that can't be written is left alone:
 * the kernel tolerates it too. errno is untouched.
 */
void write_back_timeval(struct timeval64 *tv, int64_t left);

/* pselect's and ppoll's, which only the raw system calls write: HRTIMEOUT_WRITEBACK=linux. */
void write_back_timespec(const struct timespec64 *ts, int64_t left);

#endif
