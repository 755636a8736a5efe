/*
 * After a long sleep the code that runs when a spin is over is cold, and costs microseconds: caches
 * and address translations were somebody else's meanwhile. What will be needed is fetched while
 * there is time.
 */
#ifndef HRTIMEOUT_WARM_H
#define HRTIMEOUT_WARM_H

#include <stdint.h>

/* Finds what there is to fetch. Constructor only. */
void warm_init(void);

/* `time` ns are left to the deadline; nothing is done when that's too short. No system call. */
void warm_return(int64_t time);

#endif
