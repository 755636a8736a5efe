/* What the subcommands share: one file each, listed in main.c. */
#ifndef HRTIMEOUT_COMMAND_H
#define HRTIMEOUT_COMMAND_H

/* Exit codes as stdbuf's: ours, found but not executable, not found; else the program's own. */
#define EXIT_OURS     125
#define EXIT_NOT_EXEC 126
#define EXIT_MISSING  127

/* A subcommand: argv[0] is its name. Returns the exit code. */
int cmd_run(int argc, char **argv);

/* Prints "hrtimeout: ..." and a newline on stderr; returns EXIT_OURS, so that `return fail()` reads
 * well. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
