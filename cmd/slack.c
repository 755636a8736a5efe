/* hrtimeout slack: the options, and which of its four jobs is meant. */
#include "slack.h"

#include "command.h"
#include "number.h"
#include "plot.h"

#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    UNIT = 256,
    CGROUP,
    ALL,
    JSON,
    OPENMETRICS,
    PLOT,
    SAMPLES,
    PIN,
    UNPIN,
    WORLD,
    COMPAT,
    STAGES,
    TOTALS,
    TEXTFILE
};

static const struct argp_option options[] = {
    {"pid", 'p', "PID", 0, "this process, and those it starts from now on", 1},
    {"comm", 'c', "NAME", 0, "processes of this name", 1},
    {"unit", UNIT, "UNIT", 0, "a systemd unit", 1},
    {"cgroup", CGROUP, "DIR", 0, "a control group (version 2) and those below it", 1},
    {"all", ALL, NULL, 0, "every process (default)", 1},
    {"duration", 'd', "SECONDS", 0, "how long (default: until interrupted, or COMMAND's end)", 2},
    {"interval", 'i', "SECONDS", 0, "a table this often (default on a terminal: 1)", 2},
    {"json", JSON, NULL, 0, "print the result as JSON", 3},
    {"openmetrics", OPENMETRICS, NULL, 0, "print the result as OpenMetrics text", 3},
    {"plot", PLOT, "FILE", 0, "draw the distributions: FILE.png or FILE.svg", 3},
    {"samples", SAMPLES, "FILE", 0, "write every single wait as comma-separated values", 3},
    {"stages", STAGES, NULL, 0, "also what the kernel saw of processes that the library counts", 3},
    {"pin", PIN, NULL, 0, "leave the probe attached, its maps under " SLACK_PINS, 4},
    {"world", WORLD, NULL, 0, "pinned so that any user's programs may count themselves", 4},
    {"unpin", UNPIN, NULL, 0, "remove a pinned probe", 4},
    {"totals", TOTALS, NULL, 0, "what the pinned probe has counted so far, at once", 4},
    {"textfile", TEXTFILE, "DIR", 0, "write DIR/hrtimeout.prom from the pinned maps", 4},
    {"compat", COMPAT, NULL, 0, "32-bit programs too (every system call's exit is traced)", 5},
    {0}};

static error_t take_seconds(const char *text, double *seconds)
{
    if (!seconds_of(text, seconds)) {
        fail("slack: not a number of seconds: '%s'", text);
        return EINVAL;
    }
    return 0;
}

static error_t take_pid(const char *text, pid_t *pid)
{
    unsigned long number;
    if (!number_of(text, 1, 4194304, &number)) {
        fail("slack: not a process id: '%s'", text);
        return EINVAL;
    }
    *pid = (pid_t)number;
    return 0;
}

static bool take_flag(int key, struct slack_options *o)
{
    switch (key) {
    case ALL:
        o->all = true;
        return true;
    case JSON:
        o->format = RENDER_JSON;
        return true;
    case OPENMETRICS:
        o->format = RENDER_OPENMETRICS;
        return true;
    case PIN:
        o->pin = true;
        return true;
    case UNPIN:
        o->unpin = true;
        return true;
    case WORLD:
        o->world = true;
        return true;
    case COMPAT:
        o->compat = true;
        return true;
    case TOTALS:
        o->totals = true;
        return true;
    case STAGES:
        o->stages = true;
        return true;
    default:
        return false;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct slack_options *o = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        return 0;
    case 'p':
        return take_pid(arg, &o->pid);
    case 'c':
        o->comm = arg;
        return 0;
    case UNIT:
        o->unit = arg;
        return 0;
    case CGROUP:
        o->cgroup = arg;
        return 0;
    case 'd':
        return take_seconds(arg, &o->seconds);
    case 'i':
        return take_seconds(arg, &o->interval);
    case PLOT:
        o->plot = arg;
        return 0;
    case SAMPLES:
        o->samples = arg;
        return 0;
    case TEXTFILE:
        o->textfile = arg;
        return 0;
    case ARGP_KEY_ARG:
        o->command = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    default:
        return take_flag(key, o) ? 0 : ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[COMMAND [ARGUMENT...]]",
    "Measures how late the kernel ends timed waits, of any program, by eBPF.\v"
    "Examples:\n"
    "  hrtimeout slack -- sleep 1                 one command, then its table\n"
    "  hrtimeout slack -p 1234 -d 10              a running process, for ten seconds\n"
    "  hrtimeout slack --all                      a table every second, until ^C\n"
    "  hrtimeout slack --pin                      left attached; read it with bpftool\n\n"
    "Needs root, or CAP_BPF, CAP_PERFMON and CAP_SYSLOG. Exit status: 125 if the probe can't\n"
    "work here, else COMMAND's own, or 0. The manual page is hrtimeout-slack(8).",
    NULL,
    NULL,
    NULL};

/* Only one way to choose whom to measure, and nothing that contradicts the job. */
static bool makes_sense(const struct slack_options *o)
{
    int targets = (o->pid > 0) + (o->comm != NULL) + (o->unit != NULL) + (o->cgroup != NULL) +
                  o->all + (o->command != NULL);
    if (targets > 1) {
        fail("slack: only one of -p, -c, --unit, --cgroup, --all and COMMAND");
        return false;
    }
    if (o->pin + o->unpin + o->totals + (o->textfile != NULL) > 1) {
        fail("slack: only one of --pin, --unpin, --totals and --textfile");
        return false;
    }
    if (o->world && !o->pin) {
        fail("slack: --world belongs to --pin");
        return false;
    }
    if ((o->pin && (o->command || o->samples || o->plot)) || (o->unpin && targets)) {
        fail("slack: --pin and --unpin go with no command, no samples and no plot");
        return false;
    }
    return true;
}

/* The probe knows processes by the ids of the whole machine. */
static bool knows_pids(const struct slack_options *o)
{
    char target[64] = "";
    if (!o->pid && !o->command) {
        return true;
    }
    ssize_t n = readlink("/proc/self/ns/pid", target, sizeof(target) - 1);
    if (n > 0 && strcmp(target, "pid:[4026531836]") != 0) {
        fail("slack: in a PID namespace of its own the probe can't tell processes by id; use -c, "
             "--cgroup or --all");
        return false;
    }
    if (o->pid && kill(o->pid, 0) != 0 && errno == ESRCH) {
        fail("slack: no process %d", (int)o->pid);
        return false;
    }
    return true;
}

static int read_pinned(const struct slack_options *o)
{
    struct slack_maps maps;
    if (o->command || o->cgroup || o->unit || o->samples) {
        return fail("slack: the probe is pinned and measures everything: take -p, -c or --all to "
                    "look at it, or `hrtimeout slack --unpin` first");
    }
    slack_catch_signals(0);
    return slack_open_pinned(&maps) ? slack_follow(&maps, o, 0) : EXIT_OURS;
}

static bool show_totals(const struct slack_options *o, struct slack_view *view)
{
    if (o->textfile) {
        return slack_textfile(o->textfile, view);
    }
    bool drawn = !o->plot || slack_plot(o->plot, view);
    slack_show(stdout, o->format, view);
    return finish_output(stdout) == 0 && drawn;
}

/* All that the pinned probe has counted, at once. */
static int read_totals(const struct slack_options *o)
{
    struct slack_maps maps;
    struct slack_view view;
    if (!slack_is_pinned()) {
        return fail("slack: --textfile and --totals read the pinned probe; `hrtimeout slack --pin` "
                    "first");
    }
    if (!slack_open_pinned(&maps)) {
        return EXIT_OURS;
    }
    if (o->textfile) {
        slack_fold(&maps);
    }
    bool good = slack_look(&maps, o, &view) && show_totals(o, &view);
    slack_free(&view);
    return good ? 0 : EXIT_OURS;
}

/* A probe of our own: it goes when this process does, however that ends. */
static int measure(const struct slack_options *o)
{
    int go = -1;
    struct slack_maps maps;
    if (!slack_may_load() || !slack_lock()) {
        return EXIT_OURS;
    }
    pid_t child = o->command ? slack_spawn(o->command, &go) : 0;
    if (child < 0) {
        return EXIT_OURS;
    }
    struct slack_bpf *probe = slack_load(o);
    pid_t watched = child ? child : o->pid;
    if (!probe) {
        return EXIT_OURS;
    }
    if (watched && !slack_watch(probe, watched)) {
        return fail("slack: can't follow process %d: %s", (int)watched, strerror(errno));
    }
    slack_catch_signals(child);
    if (!slack_attach(probe, o)) {
        return EXIT_OURS;
    }
    if (child) {
        slack_let_go(go);
    }
    slack_maps_of(probe, &maps);
    return slack_follow(&maps, o, child);
}

int cmd_slack(int argc, char **argv)
{
    struct slack_options o = {0};
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout slack";
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &o) || !makes_sense(&o)) {
        return EXIT_OURS;
    }
    if (o.plot && !plot_check(o.plot)) {
        return EXIT_OURS;
    }
    if (o.unpin) {
        return slack_unpin();
    }
    if (o.textfile || o.totals) {
        return read_totals(&o);
    }
    if (!knows_pids(&o)) {
        return EXIT_OURS;
    }
    if (o.pin) {
        return slack_pin(&o);
    }
    return slack_is_pinned() ? read_pinned(&o) : measure(&o);
}
