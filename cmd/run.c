/*
 * hrtimeout run: sets the environment and becomes the program, so that nothing of ours stays. Only
 * with --report a parent waits for the program's end.
 */
#include "check.h"
#include "command.h"
#include "launch.h"
#include "report.h"
#include "stats_map.h"
#include "supervise.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_REPORT = 256, KEY_REPORT_FILE };

struct run {
    struct launch launch;
    bool quiet;
    bool report;
    enum render_format format;
    const char *file; /* NULL: stderr */
};

static const struct argp_option options[] = {
    {"quiet", 'q', NULL, 0, "don't say what keeps the library out of COMMAND", 1},
    {"report", KEY_REPORT, "FORMAT", OPTION_ARG_OPTIONAL,
     "afterwards tell on stderr what its waits achieved: table (default), json or openmetrics", 1},
    {"report-file", KEY_REPORT_FILE, "FILE", 0, "write the report to FILE instead", 1},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run *run = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL; /* getopt's own line says enough */
        state->child_inputs[0] = &run->launch;
        return 0;
    case 'q':
        run->quiet = true;
        return 0;
    case KEY_REPORT:
        run->report = true;
        if (arg && !render_format_of(arg, &run->format)) {
            fail("run: --report takes table, json or openmetrics, not '%s'", arg);
            return EINVAL;
        }
        return 0;
    case KEY_REPORT_FILE:
        run->report = true;
        run->file = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&launch_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    options,
    parse,
    "COMMAND [ARGUMENT...]",
    "Runs COMMAND with the hrtimeout library, so that its timed waits end at their deadlines.\v"
    "Examples:\n"
    "  hrtimeout run python3 poll.py              waits on time, no spinning\n"
    "  hrtimeout run --mode exact -- player x.wav to a fraction of a microsecond\n"
    "  hrtimeout run --eintr resume old-daemon    not cut short by signals\n"
    "  hrtimeout run --report python3 poll.py     and tells how late its waits were\n"
    "  hrtimeout run --report=json --report-file r.json -- ./build.sh\n\n"
    "Static, Go and set-uid programs don't load the library: they get the timer slack only, and a\n"
    "line on stderr says so.\n"
    "Exit status: 125 if hrtimeout itself fails, 126 if COMMAND can't be executed,\n"
    "127 if it isn't found, else COMMAND's own.",
    children,
    NULL,
    NULL};

/* The words of the command line, as the report names the program. */
static char *joined(char **words)
{
    char *text = text_of("%s", words[0]);
    for (char **w = words + 1; *w; w++) {
        char *longer = text_of("%s %s", text, *w);
        free(text);
        text = longer;
    }
    return text;
}

/* Stays as the parent. The report's file is opened first: its fault must not cost a whole run. */
static int run_reporting(struct run *run)
{
    struct stats_memory memory;
    struct ending ending = {0};
    const char *mode = getenv("HRTIMEOUT_MODE");
    FILE *to =
        run->file ? fopen(run->file, "we") : fdopen(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    if (!to) {
        return fail("can't write %s: %s", run->file ? run->file : "stderr", strerror(errno));
    }
    const struct stats_file *stats = NULL;
    if (run->launch.stats) {
        stats = stats_map_create(run->launch.stats) ? stats_map_open(run->launch.stats) : NULL;
    } else if (stats_memory_make(&memory) && setenv("HRTIMEOUT_STATS", memory.path, 1) == 0) {
        stats = memory.map;
    }
    if (!stats || !supervise(&run->launch, false, &ending)) {
        return EXIT_OURS;
    }
    if (ending.started) {
        char *command = joined(run->launch.command);
        const struct report_about about = {command, mode ? mode : "timer", ending.elapsed_ns,
                                           ending.cpu_ns};
        report(to, run->format, stats, &about);
        finish_output(to);
        free(command);
    }
    return end_as(&ending);
}

/* One line for a program that the library can't help; nothing for what can't be told. */
static void look_ahead(struct run *run)
{
    struct checked checked = {0};
    check_command(&checked, run->launch.command[0]);
    run->launch.bare = checked.harmed;
    if (checked.reach == NOT_REACHED && !run->quiet) {
        fail("%s isn't reached: %s", run->launch.command[0], checked.why);
    }
}

int cmd_run(int argc, char **argv)
{
    char library[PATH_MAX];
    struct run run = {0};
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout run";
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &run)) {
        return EXIT_OURS;
    }
    if (!run.launch.command) {
        return fail("run: no command given; try `hrtimeout run -- COMMAND`");
    }
    int code = launch_check(library, sizeof(library));
    if (code) {
        return code;
    }
    look_ahead(&run);
    return run.report ? run_reporting(&run) : launch_exec(&run.launch);
}
