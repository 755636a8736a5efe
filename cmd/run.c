/* hrtimeout run: sets the environment and becomes the program. Nothing of ours stays. */
#include "command.h"
#include "launch.h"

#include <argp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    for (const struct argp_option *o = options; o->name; o++) {
        if (o->key == key) {
            return launch_set(launch, o->name, arg) ? 0 : EINVAL;
        }
    }
    if (key == ARGP_KEY_ARG) {
        launch->command = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    options,
    parse,
    "COMMAND [ARGUMENT...]",
    "Runs COMMAND with the hrtimeout library, so that its timed waits end at their deadlines.\v"
    "Examples:\n"
    "  hrtimeout run python3 poll.py              waits on time, no spinning\n"
    "  hrtimeout run --mode exact -- player x.wav to a fraction of a microsecond\n"
    "  hrtimeout run --eintr resume old-daemon    not cut short by signals\n\n"
    "Can't work on static, Go and set-uid programs: they don't load the library.\n"
    "Exit status: 125 if hrtimeout itself fails, 126 if COMMAND can't be executed,\n"
    "127 if it isn't found, else COMMAND's own.",
    NULL,
    NULL,
    NULL};

int cmd_run(int argc, char **argv)
{
    struct launch launch = {0};
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout run";
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &launch)) {
        return EXIT_OURS;
    }
    if (!launch.command) {
        return fail("run: no command given; try `hrtimeout run -- COMMAND`");
    }
    return launch_exec(&launch);
}
