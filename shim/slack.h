/* The timer slack of the process: set once, before threads exist, which then inherit it. */
#ifndef HRTIMEOUT_SLACK_H
#define HRTIMEOUT_SLACK_H

#include <stdint.h>

/*
 * Applies the setting (ns, or one of SLACK_* of policy.h). By default only the kernel's own default
 * is replaced: another value was somebody's wish. prctl(2), PR_SET_TIMERSLACK.
 */
void slack_init(int64_t setting);

#endif
