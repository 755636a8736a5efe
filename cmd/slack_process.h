/* What the pinned probe says of one process; nothing where the command was built without it. */
#ifndef HRTIMEOUT_SLACK_PROCESS_H
#define HRTIMEOUT_SLACK_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Adds the process's waits to the HIST_SLOTS counts of a histogram. False: it has none there. */
bool slack_of_process(pid_t pid, uint64_t *slots);

#endif
