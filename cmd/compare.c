/* hrtimeout compare: the same program in observe mode and in the chosen one, by turns. */
#include "command.h"
#include "launch.h"
#include "number.h"
#include "plot.h"
#include "report.h"
#include "stats_map.h"
#include "supervise.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MOST_ROUNDS 10000

enum { OBSERVE, CHOSEN, SIDES };

/* All rounds of one side, added up. */
struct side {
    const char *mode;
    struct stats_file sum;
    int64_t elapsed_ns, cpu_ns;
};

struct compare {
    struct launch launch;
    unsigned long rounds;
    const char *slack; /* as given */
    const char *plot;
    bool json;
    struct side side[SIDES];
};

enum { KEY_PLOT = 256, KEY_JSON };

static const struct argp_option options[] = {
    {"rounds", 'n', "N", 0, "how often each side runs (default 3)", 1},
    {"plot", KEY_PLOT, "FILE", 0, "draw both distributions in FILE.png or FILE.svg", 1},
    {"json", KEY_JSON, NULL, 0, "print JSON", 1},
    {0}};

static error_t parse_rounds(struct compare *compare, const char *arg)
{
    if (!number_of(arg, 1, MOST_ROUNDS, &compare->rounds)) {
        fail("compare: -n takes a number from 1 to %d, not '%s'", MOST_ROUNDS, arg);
        return EINVAL;
    }
    return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct compare *compare = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        state->child_inputs[0] = &compare->launch;
        return 0;
    case 'n':
        return parse_rounds(compare, arg);
    case KEY_PLOT:
        compare->plot = arg;
        return plot_check(arg) ? 0 : EINVAL;
    case KEY_JSON:
        compare->json = true;
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
    "Runs COMMAND by turns in observe mode (as it is without the library) and in the chosen mode, "
    "and shows how late its waits were in each. What COMMAND prints on stdout is thrown away.\v"
    "Examples:\n"
    "  hrtimeout compare -- fping -c 20 -p 20 127.0.0.1\n"
    "  hrtimeout compare -n 10 --mode exact --plot late.svg -- ./control-loop\n\n"
    "If COMMAND fails, compare stops and ends with the same status.",
    children,
    NULL,
    NULL};

static void add_record(struct stat_record *to, const struct stat_record *from)
{
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *more = (const uint64_t *)from;
    uint64_t max = to->late_max_ns > from->late_max_ns ? to->late_max_ns : from->late_max_ns;
    for (size_t i = 0; i < sizeof(*to) / sizeof(*sum); i++) {
        sum[i] += more[i];
    }
    to->late_max_ns = max;
}

/* Observe mode shows the machine as it is: a slack that was asked for is the other side's. */
static bool set_side(struct compare *compare, const struct side *side)
{
    if (side == &compare->side[OBSERVE]) {
        compare->launch.slack = NULL;
        unsetenv("HRTIMEOUT_SLACK");
    } else if (compare->slack && !launch_set(&compare->launch, "slack", compare->slack)) {
        return false;
    }
    return launch_set(&compare->launch, "mode", side->mode);
}

static void add_run(struct side *side, const struct stats_file *stats, const struct ending *ending)
{
    for (unsigned i = 0; i < CALL_COUNT; i++) {
        add_record(&side->sum.call[i], &stats->call[i]);
    }
    side->sum.processes += stats->processes;
    side->elapsed_ns += ending->elapsed_ns;
    side->cpu_ns += ending->cpu_ns;
}

/* One run. False when there is no point in going on; `code` is then the exit code. */
static bool run_once(struct compare *compare, struct side *side, int *code)
{
    struct stats_memory memory;
    struct ending ending = {0};
    *code = EXIT_OURS;
    if (!stats_memory_make(&memory)) {
        return false;
    }
    bool ran = set_side(compare, side) && setenv("HRTIMEOUT_STATS", memory.path, 1) == 0 &&
               supervise(&compare->launch, true, &ending);
    bool good = ran && ending.started && !ending.status && !ending.told_to_end;
    if (good) {
        add_run(side, memory.map, &ending);
    } else if (ran && ending.started) {
        fail("compare: the command %s; stopped", ending.told_to_end ? "was told to end" : "failed");
    }
    stats_memory_free(&memory);
    if (ran && ending.status) {
        *code = end_as(&ending);
    }
    return good;
}

static void put_line(const char *call, const char *what, uint64_t observe, uint64_t chosen)
{
    char a[NS_TEXT], b[NS_TEXT], ratio[NS_TEXT] = "-";
    if (observe && chosen) {
        snprintf(ratio, sizeof(ratio), "%.*f x", observe < chosen * 10 ? 2 : 1,
                 (double)observe / (double)chosen);
    }
    printf("%-16s %-8s %12s %12s %10s\n", call, what, ns_text(observe, a), ns_text(chosen, b),
           ratio);
}

static void put_call(const struct compare *compare, unsigned call)
{
    static const unsigned permille[] = {500, 900, 990};
    static const char *const names[] = {"median", "90th", "99th"};
    const struct histogram a = report_late(&compare->side[OBSERVE].sum.call[call]);
    const struct histogram b = report_late(&compare->side[CHOSEN].sum.call[call]);
    if (!histogram_count(&a) && !histogram_count(&b)) {
        return;
    }
    printf("%-16s %-8s %12llu %12llu\n", call_names[call], "timeouts",
           (unsigned long long)histogram_count(&a), (unsigned long long)histogram_count(&b));
    for (unsigned i = 0; i < 3; i++) {
        put_line("", names[i], histogram_quantile(&a, permille[i]),
                 histogram_quantile(&b, permille[i]));
    }
    put_line("", "max", a.max_ns, b.max_ns);
}

static void put_text(const struct compare *compare)
{
    const struct side *a = &compare->side[OBSERVE], *b = &compare->side[CHOSEN];
    printf("%-16s %-8s %12s %12s %10s\n", "lateness", "", a->mode, b->mode, "ratio");
    for (unsigned i = 0; i < CALL_COUNT; i++) {
        put_call(compare, i);
    }
    if (!a->sum.processes || !b->sum.processes) {
        puts("the library wasn't at work: `hrtimeout check` tells more");
    }
    put_line("each run", "CPU", (uint64_t)a->cpu_ns / compare->rounds,
             (uint64_t)b->cpu_ns / compare->rounds);
    put_line("", "time", (uint64_t)a->elapsed_ns / compare->rounds,
             (uint64_t)b->elapsed_ns / compare->rounds);
}

static void put_json(const struct compare *compare)
{
    static const struct render_column run_columns[] = {
        {"mode", "", RENDER_LABEL, true, NULL, NULL, NULL},
        {"rounds", "", RENDER_COUNT, true, NULL, NULL, NULL},
        {"processes", "", RENDER_COUNT, true, NULL, NULL, NULL},
        {"elapsed_ns", "", RENDER_NS, true, NULL, NULL, NULL},
        {"cpu_ns", "", RENDER_NS, true, NULL, NULL, NULL}};
    static const struct render_column call_columns[] = {
        {"call", "", RENDER_LABEL, true, NULL, NULL, NULL},
        {"mode", "", RENDER_LABEL, true, NULL, NULL, NULL}};
    struct render_cell run_cells[SIDES][5], cells[SIDES * CALL_COUNT][2];
    struct render_row runs[SIDES], calls[SIDES * CALL_COUNT];
    struct histogram late[SIDES * CALL_COUNT];
    size_t n = 0;
    for (unsigned s = 0; s < SIDES; s++) {
        const struct side *side = &compare->side[s];
        run_cells[s][0].text = side->mode;
        run_cells[s][1].n = compare->rounds;
        run_cells[s][2].n = side->sum.processes;
        run_cells[s][3].n = (uint64_t)side->elapsed_ns;
        run_cells[s][4].n = (uint64_t)side->cpu_ns;
        runs[s] = (struct render_row){run_cells[s], NULL};
        for (unsigned i = 0; i < CALL_COUNT; i++) {
            late[n] = report_late(&side->sum.call[i]);
            if (histogram_count(&late[n])) {
                cells[n][0].text = call_names[i];
                cells[n][1].text = side->mode;
                calls[n] = (struct render_row){cells[n], &late[n]};
                n++;
            }
        }
    }
    const struct render_table tables[] = {{"runs", NULL, run_columns, 5, runs, SIDES, NULL, NULL},
                                          {"calls", NULL, call_columns, 2, calls, n, NULL, NULL}};
    render(stdout, RENDER_JSON, tables, 2);
}

/* All calls together: what a user sees as "the program's waits". */
static int draw(const struct compare *compare)
{
    static struct stat_record all[SIDES];
    struct plot plot = {.file = compare->plot, .title = compare->launch.command[0]};
    for (unsigned s = 0; s < SIDES; s++) {
        for (unsigned i = 0; i < CALL_COUNT; i++) {
            add_record(&all[s], &compare->side[s].sum.call[i]);
        }
        plot.names[s] = compare->side[s].mode;
        plot.late[s] = report_late(&all[s]);
    }
    return plot_draw(&plot);
}

int cmd_compare(int argc, char **argv)
{
    static struct compare compare = {.rounds = 3};
    int code;
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout compare";
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &compare)) {
        return EXIT_OURS;
    }
    if (!compare.launch.command) {
        return fail("compare: no command given; try `hrtimeout compare -- COMMAND`");
    }
    if (compare.launch.stats) {
        return fail("compare: --stats can't be used here; it counts in memory");
    }
    compare.slack = compare.launch.slack ? compare.launch.slack : getenv("HRTIMEOUT_SLACK");
    const char *mode = compare.launch.mode ? compare.launch.mode : getenv("HRTIMEOUT_MODE");
    compare.side[OBSERVE].mode = "observe";
    compare.side[CHOSEN].mode = mode ? mode : "timer";
    for (unsigned long round = 0; round < compare.rounds; round++) {
        for (unsigned s = 0; s < SIDES; s++) {
            if (!run_once(&compare, &compare.side[s], &code)) {
                return code;
            }
        }
    }
    (compare.json ? put_json : put_text)(&compare);
    code = finish_output(stdout);
    return !code && compare.plot ? draw(&compare) : code;
}
