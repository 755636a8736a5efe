/* The settings as options and the command after them, for subcommands that start programs. */
#include "launch.h"

#include <argp.h>
#include <errno.h>

static const struct argp_option options[] = {
    {"mode", 'm', "MODE", 0, "observe, timer (default) or exact", 0},
    {"slack", 's', "NS", 0, "timer slack in ns (default 1), or keep", 0},
    {"cpu", 'c', "PERCENT", 0, "exact mode: how much of a core may be spun (default 5)", 0},
    {"eintr", 'e', "WHAT", 0, "return (default), or resume for programs that mishandle EINTR", 0},
    {"writeback", 'w', "WHOSE", 0, "remaining time as libc (default), linux, or none", 0},
    {"clock", 'k', "CLOCK", 0, "monotonic (default), or boottime: suspend counts", 0},
    {"stats", 'S', "FILE", 0, "count in FILE, which is made if it isn't there", 0},
    {"sandbox", 'b', "WHAT", 0, "auto (default), trust or same: what a system call filter does", 0},
    {"only", 'O', "NAME,...", 0, "act in these programs only", 0},
    {"skip", 'X', "NAME,...", 0, "don't act in these programs", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct launch *launch = state->input;
    if (key == ARGP_KEY_ARG) {
        launch->command = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    }
    for (const struct argp_option *o = options; o->name; o++) {
        if (o->key == key) {
            return launch_set(launch, o->name, arg) ? 0 : EINVAL;
        }
    }
    return ARGP_ERR_UNKNOWN;
}

const struct argp launch_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
