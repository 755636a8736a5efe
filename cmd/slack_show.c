/* Lines as tables: for people with shares of the lateness, for programs with sums. */
#include "report.h"
#include "slack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the lines with the most lateness; all are in the table. */
#define MOST_HISTOGRAMS 6
#define MOST_VERDICTS   20

const char *slack_call_name(enum stat_call call)
{
    return call < CALL_COUNT ? call_names[call] : "?";
}

enum column {
    PROCESS,
    PID,
    CALL,
    WIDTH,
    COUNTED_BY,
    WAITS,
    SLACK,
    INTERRUPT,
    QUEUE,
    RETURN,
    MEDIAN,
    NEARLY_ALL,
    MAX,
    FROM,
    COLUMNS
};

#define PART(name, title, label)                                                                   \
    {                                                                                              \
        name, title, RENDER_NS, false, "hrtimeout_late_part_seconds",                              \
            "Where the lateness came from: the parts add up to it", "part=\"" label "\""           \
    }

static const struct render_column columns[COLUMNS] = {
    [PROCESS] = {"process", "process", RENDER_LABEL, true, NULL, NULL, NULL},
    [PID] = {"pid", "pid", RENDER_LABEL, true, NULL, NULL, NULL},
    [CALL] = {"call", "call", RENDER_LABEL, true, NULL, NULL, NULL},
    [WIDTH] = {"abi", "width", RENDER_LABEL, true, NULL, NULL, NULL},
    [COUNTED_BY] = {"source", "counted by", RENDER_LABEL, true, NULL, NULL, NULL},
    [WAITS] = {"waits", "waits", RENDER_COUNT, true, NULL, NULL, NULL},
    [SLACK] = PART("timer_slack_ns", "slack", "timer_slack"),
    [INTERRUPT] = PART("interrupt_ns", "interrupt", "interrupt"),
    [QUEUE] = PART("run_queue_ns", "run queue", "run_queue"),
    [RETURN] = PART("return_ns", "return", "return"),
    [MEDIAN] = {"median_ns", "median", RENDER_NS, true, NULL, NULL, NULL},
    [NEARLY_ALL] = {"p99_ns", "99th", RENDER_NS, true, NULL, NULL, NULL},
    [MAX] = {"max_ns", "max", RENDER_NS, true, NULL, NULL, NULL},
    [FROM] = {"from", "slack interrupt queue return", RENDER_LABEL, true, NULL, NULL, NULL},
};

/* What is shown where, in order. */
static const struct layout {
    enum column column[COLUMNS];
    size_t count;
} for_people = {{PROCESS, PID, CALL, COUNTED_BY, WAITS, MEDIAN, NEARLY_ALL, MAX, FROM}, 9},
  for_programs = {{PROCESS, PID, CALL, WIDTH, COUNTED_BY, WAITS, SLACK, INTERRUPT, QUEUE, RETURN},
                  10},
  for_series = {{PROCESS, CALL, WIDTH, COUNTED_BY, SLACK, INTERRUPT, QUEUE, RETURN}, 8};

struct line_text {
    char pid[16];
    char call[32];
    char from[40];
    struct histogram late;
    struct render_cell cells[COLUMNS];
    struct render_cell verdict[4];
};

static int percent(uint64_t part, uint64_t all)
{
    return all ? (int)((double)part * 100 / (double)all + 0.5) : 0;
}

static const char *source_of(const struct slack_line *line)
{
    return line->library ? "library" : line->key.source == STAGE ? "stage" : "kernel";
}

static void texts_of(const struct slack_line *line, bool people, struct line_text *to)
{
    const struct slack_parts *p = &line->parts;
    uint64_t sum = line->late_sum_ns;
    bool compat = line->key.abi == COMPAT_32BIT && people;
    snprintf(to->pid, sizeof(to->pid), "%u", line->key.tgid);
    snprintf(to->call, sizeof(to->call), "%s%s", call_names[line->key.call],
             compat ? " (32-bit)" : "");
    snprintf(to->from, sizeof(to->from), "%4d%% %8d%% %4d%% %5d%%", percent(p->timer_slack_ns, sum),
             percent(p->interrupt_ns, sum), percent(p->run_queue_ns, sum),
             percent(p->return_ns, sum));
    to->late = (struct histogram){line->hist, sum, line->late_max_ns};
}

static void cells_of(const struct slack_line *line, const struct layout *layout,
                     struct line_text *to)
{
    const struct slack_parts *p = &line->parts;
    const struct render_cell all[COLUMNS] = {
        [PROCESS] = {line->key.comm, 0},
        [PID] = {line->key.tgid ? to->pid : "ended", 0},
        [CALL] = {to->call, 0},
        [WIDTH] = {line->key.abi == COMPAT_32BIT ? "32" : "64", 0},
        [COUNTED_BY] = {source_of(line), 0},
        [WAITS] = {NULL, line->waits},
        [SLACK] = {NULL, p->timer_slack_ns},
        [INTERRUPT] = {NULL, p->interrupt_ns},
        [QUEUE] = {NULL, p->run_queue_ns},
        [RETURN] = {NULL, p->return_ns},
        [MEDIAN] = {NULL, histogram_quantile(&to->late, 500)},
        [NEARLY_ALL] = {NULL, histogram_quantile(&to->late, 990)},
        [MAX] = {NULL, line->late_max_ns},
        [FROM] = {line->library ? NULL : to->from, 0},
    };
    for (size_t i = 0; i < layout->count; i++) {
        to->cells[i] = all[layout->column[i]];
    }
}

uint64_t slack_quantile(const struct slack_line *line, unsigned permille)
{
    struct histogram h = {line->hist, line->late_sum_ns, line->late_max_ns};
    return histogram_quantile(&h, permille);
}

static const struct render_column verdict_columns[] = {
    {"process", "process", RENDER_LABEL, true, NULL, NULL, NULL},
    {"pid", "pid", RENDER_LABEL, true, NULL, NULL, NULL},
    {"call", "call", RENDER_LABEL, true, NULL, NULL, NULL},
    {"verdict", "verdict", RENDER_SENTENCE, true, NULL, NULL, NULL},
};

static void verdict_of(const struct slack_line *line, struct line_text *to)
{
    to->verdict[0].text = line->key.comm;
    to->verdict[1].text = line->key.tgid ? to->pid : "ended";
    to->verdict[2].text = call_names[line->key.call];
    to->verdict[3].text = slack_verdict(line);
}

#define ENDED(name)                                                                                \
    {                                                                                              \
#name, #name, RENDER_COUNT, false, "hrtimeout_probe_waits",                                \
            "What became of the waits seen", "end=\"" #name "\""                                   \
    }
#define MISSED(name)                                                                               \
    {                                                                                              \
#name, #name, RENDER_COUNT, false, "hrtimeout_probe_missed",                               \
            "What the probe couldn't see", "what=\"" #name "\""                                    \
    }

static const struct render_column stats_columns[] = {
    ENDED(armed),     ENDED(timed_out),    ENDED(past),         ENDED(woken_early),
    ENDED(restarted), ENDED(interrupted),  ENDED(failed),       MISSED(lost),
    MISSED(map_full), MISSED(fire_unseen), MISSED(sample_lost),
};
#define STATS (sizeof(stats_columns) / sizeof(*stats_columns))
_Static_assert(STATS == sizeof(struct slack_stats) / sizeof(uint64_t), "a column a counter");

static void fill_stats(const struct slack_view *view, struct render_cell cells[static STATS])
{
    const uint64_t *n = (const uint64_t *)&view->stats;
    for (size_t i = 0; i < STATS; i++) {
        cells[i] = (struct render_cell){NULL, n[i]};
    }
}

/* The cells and texts of some lines, to be rendered as one table. */
struct sheet {
    struct line_text *texts;
    struct render_row *rows, *verdicts;
    struct render_column columns[COLUMNS];
    size_t count;
};

static bool sheet_fill(struct sheet *s, const struct slack_view *view, size_t most,
                       const struct layout *layout)
{
    bool people = layout == &for_people;
    s->count = view->count < most ? view->count : most;
    s->texts = calloc(s->count + 1, sizeof(*s->texts));
    s->rows = calloc(s->count + 1, sizeof(*s->rows));
    s->verdicts = calloc(s->count + 1, sizeof(*s->verdicts));
    if (!s->texts || !s->rows || !s->verdicts) {
        return false;
    }
    for (size_t i = 0; i < layout->count; i++) {
        s->columns[i] = columns[layout->column[i]];
    }
    for (size_t i = 0; i < s->count; i++) {
        struct line_text *text = &s->texts[i];
        texts_of(&view->lines[i], people, text);
        cells_of(&view->lines[i], layout, text);
        verdict_of(&view->lines[i], text);
        s->rows[i] = (struct render_row){text->cells, people ? NULL : &text->late};
        s->verdicts[i] = (struct render_row){text->verdict, NULL};
    }
    return true;
}

static void sheet_free(struct sheet *s)
{
    free(s->texts);
    free(s->rows);
    free(s->verdicts);
}

void slack_show_top(FILE *to, struct slack_view *view, size_t most)
{
    struct sheet s;
    slack_sort(view);
    if (sheet_fill(&s, view, most, &for_people)) {
        render_text(to, &(struct render_table){"waits", NULL, s.columns, for_people.count, s.rows,
                                               s.count, NULL, NULL});
    }
    sheet_free(&s);
}

static void put_line_name(FILE *to, const struct slack_line *line)
{
    put_plain(to, line->key.comm);
    if (line->key.tgid) {
        fprintf(to, " (%u)", line->key.tgid);
    }
    fprintf(to, " %s%s", call_names[line->key.call],
            line->library               ? ", by the library"
            : line->key.source == STAGE ? ", its stages"
                                        : "");
}

static void show_people(FILE *to, struct slack_view *view, const struct render_table *stats)
{
    slack_show_top(to, view, view->count);
    for (size_t i = 0; i < view->count && i < MOST_HISTOGRAMS; i++) {
        struct histogram h = {view->lines[i].hist, view->lines[i].late_sum_ns,
                              view->lines[i].late_max_ns};
        fputs("\nlateness of ", to);
        put_line_name(to, &view->lines[i]);
        fputs(", in waits\n", to);
        histogram_print(to, &h);
    }
    fputs(view->count ? "\nwhat it comes from, and what helps\n" : "", to);
    for (size_t i = 0; i < view->count && i < MOST_VERDICTS; i++) {
        put_line_name(to, &view->lines[i]);
        fprintf(to, ": %s\n", slack_verdict(&view->lines[i]));
    }
    fputs(view->count ? "\n" : "", to);
    render_text(to, stats);
}

static void show_programs(FILE *to, enum render_format format, const struct slack_view *view,
                          const struct render_table *stats)
{
    struct sheet s;
    const struct layout *layout = format == RENDER_JSON ? &for_programs : &for_series;
    if (sheet_fill(&s, view, view->count, layout)) {
        const struct render_table tables[] = {
            {"waits", NULL, s.columns, layout->count, s.rows, s.count, "hrtimeout_late_seconds",
             "Lateness of waits that ended by timeout"},
            *stats,
            {"verdicts", NULL, verdict_columns, 4, s.verdicts, s.count, NULL, NULL},
        };
        render(to, format, tables, format == RENDER_JSON ? 3 : 2);
    }
    sheet_free(&s);
}

void slack_show(FILE *to, enum render_format format, struct slack_view *view)
{
    struct render_cell cells[STATS];
    struct render_row row = {cells, NULL};
    const struct render_table stats = {
        "probe", "what became of the waits seen", stats_columns, STATS, &row, 1, NULL, NULL};
    if (format == RENDER_OPENMETRICS) {
        slack_by_name(view); /* a series for each process id would be without end */
    }
    slack_sort(view);
    fill_stats(view, cells);
    if (format == RENDER_TABLE) {
        show_people(to, view, &stats);
    } else {
        show_programs(to, format, view, &stats);
    }
}
