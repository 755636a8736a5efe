/* A parent that stays: runs a program, passes signals on and ends as the program ended. */
#ifndef HRTIMEOUT_SUPERVISE_H
#define HRTIMEOUT_SUPERVISE_H

#include "launch.h"

#include <stdbool.h>
#include <stdint.h>

struct ending {
    bool started;     /* false: exec failed, `status` is the exit code that says why */
    int status;       /* as waitpid gives it */
    bool told_to_end; /* a signal that usually ends a program came by */
    int64_t elapsed_ns;
    int64_t cpu_ns; /* user and system, with the children it waited for */
};

/*
 * Runs the program and waits for its end. With `quiet` its stdout goes to /dev/null. False after a
 * message when it couldn't even be tried.
 */
bool supervise(const struct launch *launch, bool quiet, struct ending *ending);

/* The exit code of a program that exited; dies by its signal when it was killed by one. */
int end_as(const struct ending *ending);

#endif
