/* What the subcommands share: one file each, listed in main.c. */
#ifndef HRTIMEOUT_COMMAND_H
#define HRTIMEOUT_COMMAND_H

#include <stdio.h>

/* Exit codes as stdbuf's: ours, found but not executable, not found; else the program's own. */
#define EXIT_OURS     125
#define EXIT_NOT_EXEC 126
#define EXIT_MISSING  127

/* A subcommand: argv[0] is its name. Returns the exit code. */
int cmd_run(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_detach(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_slack(int argc, char **argv);
int cmd_service(int argc, char **argv);

/* Prints "hrtimeout: ..." and a newline on stderr; returns EXIT_OURS, so that `return fail()` reads
 * well. */
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Flushes what was written and checks that it arrived. 0, or EXIT_OURS after a message. */
int finish_output(FILE *to);

#endif
