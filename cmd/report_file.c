/* hrtimeout report: what a statistics file holds, as that of a service. */
#include "command.h"
#include "report.h"
#include "stats_map.h"

#include <argp.h>
#include <errno.h>
#include <string.h>

struct wanted {
    enum render_format format;
    const char *file;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "table (default), json or openmetrics", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct wanted *wanted = state->input;
    if (key == ARGP_KEY_INIT) {
        state->err_stream = NULL;
        return 0;
    }
    if (key == 'f') {
        if (!render_format_of(arg, &wanted->format)) {
            fail("report: --format takes table, json or openmetrics, not '%s'", arg);
            return EINVAL;
        }
        return 0;
    }
    if (key == ARGP_KEY_ARG && !wanted->file) {
        wanted->file = arg;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        fail("report: one file at a time");
        return EINVAL;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    options,
    parse,
    "FILE",
    "Shows what the library has counted in a statistics file so far.\v"
    "Examples:\n"
    "  hrtimeout run --stats /run/d.stats daemon &    counts as long as it runs\n"
    "  hrtimeout report /run/d.stats\n"
    "  hrtimeout report -f openmetrics /run/d.stats > /var/lib/node_exporter/d.prom",
    NULL,
    NULL,
    NULL};

int cmd_report(int argc, char **argv)
{
    struct wanted wanted = {0};
    argv[0] = "hrtimeout report";
    if (argp_parse(&argp, argc, argv, 0, NULL, &wanted)) {
        return EXIT_OURS;
    }
    if (!wanted.file) {
        return fail("report: no statistics file given");
    }
    const struct stats_file *stats = stats_map_open(wanted.file);
    if (!stats) {
        return EXIT_OURS;
    }
    const struct report_about about = {.command = wanted.file};
    report(stdout, wanted.format, stats, &about);
    return finish_output(stdout);
}
