/* Starting a program under the library; run, compare and slack share it. */
#ifndef HRTIMEOUT_LAUNCH_H
#define HRTIMEOUT_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

struct argp;

struct launch {
    char **command;    /* NULL-terminated, as for execvp */
    const char *slack; /* as given, NULL for the default */
    const char *mode;  /* as given, NULL for the default */
    const char *stats; /* statistics file, NULL for none */
    bool bare;         /* don't preload: it would do harm */
};

/*
 * Takes one setting by its option's name (mode, slack, cpu, eintr, writeback, clock, stats,
 * sandbox, only, skip) and puts it into the environment. False after a message when the value is
 * wrong.
 */
bool launch_set(struct launch *launch, const char *name, const char *value);

/*
 * An argp child with all of these as options; its input is the struct launch. Arguments that the
 * parent leaves to it are the command.
 */
extern const struct argp launch_argp;

/* The library's path, which may hold $LIB. False: too long. */
bool launch_library(char *to, size_t size);

/* Whether programs can be started at all: 0 and the library's path, or an exit code after a
 * message.
 */
int launch_check(char *library, size_t size);

/* The LD_PRELOAD to set where `old` (may be NULL) is set. */
char *launch_preload(const char *library, const char *old);

/* Finds the library, prepares LD_PRELOAD and the timer slack, and execs. Returns only an exit code.
 */
int launch_exec(const struct launch *launch);

/* The part of launch_exec before the exec, for a caller that forks. 0, or an exit code. */
int launch_prepare(const struct launch *launch);

#endif
