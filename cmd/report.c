#include "report.h"

#include "command.h"
#include "stats_map.h"

#include <stdlib.h>
#include <string.h>

#define NOTE_TEXT 256
#define SHOWN     60 /* of a long command line */

const char *const call_names[CALL_COUNT] = {
    [CALL_POLL] = "poll",
    [CALL_PPOLL] = "ppoll",
    [CALL_SELECT] = "select",
    [CALL_PSELECT] = "pselect",
    [CALL_EPOLL_WAIT] = "epoll_wait",
    [CALL_EPOLL_PWAIT] = "epoll_pwait",
    [CALL_EPOLL_PWAIT2] = "epoll_pwait2",
    [CALL_NANOSLEEP] = "nanosleep",
    [CALL_CLOCK_NANOSLEEP] = "clock_nanosleep",
    [CALL_USLEEP] = "usleep",
    [CALL_SLEEP] = "sleep",
    [CALL_THRD_SLEEP] = "thrd_sleep",
};

#define WAITS "hrtimeout_waits"
static const struct render_column call_columns[] = {
    {"call", "call", RENDER_LABEL, true, NULL, NULL, NULL},
    {"waits", "waits", RENDER_COUNT, true, NULL, NULL, NULL},
    {"timeout", "timeout", RENDER_COUNT, true, WAITS, "Timed waits by how they ended.",
     "end=\"timeout\""},
    {"ready", "ready", RENDER_COUNT, false, WAITS, NULL, "end=\"ready\""},
    {"interrupted", "interrupted", RENDER_COUNT, false, WAITS, NULL, "end=\"interrupted\""},
    {"error", "error", RENDER_COUNT, false, WAITS, NULL, "end=\"error\""},
    {"zero", "zero", RENDER_COUNT, false, WAITS, NULL, "end=\"zero\""},
    {"infinite", "infinite", RENDER_COUNT, false, WAITS, NULL, "end=\"infinite\""},
    {"early", "EARLY", RENDER_COUNT, false, "hrtimeout_early_waits",
     "Waits that ended before their deadline; a defect if not 0.", NULL},
};
#define CALL_COLUMNS (sizeof(call_columns) / sizeof(*call_columns))

#define ACTIONS "hrtimeout_actions"
#define PASSED  "hrtimeout_passed"
static const struct render_column did_columns[] = {
    {"call", "call", RENDER_LABEL, true, NULL, NULL, NULL},
    {"stages", "stages", RENDER_COUNT, false, ACTIONS, "What the library did for the waits.",
     "did=\"stage\""},
    {"spins", "spins", RENDER_COUNT, false, ACTIONS, NULL, "did=\"spin\""},
    {"no_tokens", "no budget", RENDER_COUNT, false, ACTIONS, NULL, "did=\"no_tokens\""},
    {"past", "past", RENDER_COUNT, false, ACTIONS, NULL, "did=\"past\""},
    {"resumed", "resumed", RENDER_COUNT, false, ACTIONS, NULL, "did=\"resume\""},
    {"real_select", "real select", RENDER_COUNT, false, ACTIONS, NULL, "did=\"real_select\""},
    {"passed_observe", "passed: observe", RENDER_COUNT, false, PASSED,
     "Waits left to libc, by reason.", "why=\"observe\""},
    {"passed_sandbox", "sandbox", RENDER_COUNT, false, PASSED, NULL, "why=\"sandbox\""},
    {"passed_denied", "denied", RENDER_COUNT, false, PASSED, NULL, "why=\"denied\""},
    {"passed_pointer", "pointer", RENDER_COUNT, false, PASSED, NULL, "why=\"pointer\""},
    {"passed_argument", "argument", RENDER_COUNT, false, PASSED, NULL, "why=\"argument\""},
    {"spun_ns", "spun", RENDER_NS, false, "hrtimeout_spun_seconds",
     "Time spent spinning to deadlines.", NULL},
};
#define DID_COLUMNS (sizeof(did_columns) / sizeof(*did_columns))

static const struct render_column notice_columns[] = {
    {"call", NULL, RENDER_LABEL, true, NULL, NULL, NULL},
    {"notice", NULL, RENDER_LABEL, true, NULL, NULL, NULL},
    {"count", NULL, RENDER_COUNT, true, "hrtimeout_noticed",
     "Mistakes in how the program waits, noticed by the library.", NULL},
    {"text", NULL, RENDER_SENTENCE, true, NULL, NULL, NULL},
};
#define NOTICE_COLUMNS (sizeof(notice_columns) / sizeof(*notice_columns))

static const struct {
    const char *name, *what, *advice;
} notices[NOTICE_COUNT] = {
    [NOTICE_ZERO_BURST] = {"zero_burst", "zero timeouts in bursts, a busy loop",
                           "wait for the time that is left, rounded up, instead of 0"},
    [NOTICE_REARMED] = {"rearmed", "the same timeout armed again after EINTR",
                        "it may never end while signals come: wait for what is left, or "
                        "run with --eintr resume"},
    [NOTICE_CUT_SHORT] = {"cut_short", "cut short by a signal",
                          "sleep on for what is left, or run with --eintr resume"},
    [NOTICE_INVALID] = {"invalid", "refused with EINVAL, so it didn't wait at all",
                        "tv_nsec must be below 1000000000 and nothing negative"},
    [NOTICE_ABSURD] = {"absurd", "over an hour asked of a call for short times",
                       "likely a negative difference: check it before the call"},
    [NOTICE_ZEROED_TIMEVAL] = {"zeroed_timeval", "given the timeval it had counted down to zero",
                               "set it before each call, or run with --writeback none"},
    [NOTICE_HUNG_UP] = {"hung_up", "the same hung-up descriptor reported over and over",
                        "close it or stop asking for it (a negative fd in poll)"},
};

/* One row a call and one a notice at most; big enough for both, so nothing is allocated. */
struct tables {
    struct render_row calls[CALL_COUNT], did[CALL_COUNT], noted[CALL_COUNT * NOTICE_COUNT];
    struct render_cell call_cells[CALL_COUNT][CALL_COLUMNS], did_cells[CALL_COUNT][DID_COLUMNS],
        note_cells[CALL_COUNT * NOTICE_COUNT][NOTICE_COLUMNS];
    struct histogram late[CALL_COUNT];
    char notes[CALL_COUNT * NOTICE_COUNT][NOTE_TEXT];
    size_t call_count, did_count, note_count;
};

struct histogram report_late(const struct stat_record *record)
{
    return (struct histogram){record->hist, record->late_sum_ns, record->late_max_ns};
}

static void add_call(struct tables *t, const char *name, const struct stat_record *record)
{
    struct render_cell *cells = t->call_cells[t->call_count];
    uint64_t waits = 0;
    cells[0].text = name;
    for (unsigned i = 0; i < END_COUNT; i++) {
        cells[2 + i].n = record->ended[i];
        waits += record->ended[i];
    }
    cells[1].n = waits;
    cells[2 + END_COUNT].n = record->early;
    if (waits || record->early) {
        struct histogram *late = &t->late[t->call_count];
        *late = report_late(record);
        t->calls[t->call_count++] = (struct render_row){cells, late};
    }
}

static void add_did(struct tables *t, const char *name, const struct stat_record *record)
{
    struct render_cell *cells = t->did_cells[t->did_count];
    bool any = record->spun_ns != 0;
    cells[0].text = name;
    for (unsigned i = 0; i < DID_COUNT; i++) {
        cells[1 + i].n = record->did[i];
        any |= record->did[i] != 0;
    }
    cells[1 + DID_COUNT].n = record->spun_ns;
    if (any) {
        t->did[t->did_count++] = (struct render_row){cells, NULL};
    }
}

static void add_notices(struct tables *t, const char *name, const struct stat_record *record)
{
    for (unsigned i = 0; i < NOTICE_COUNT; i++) {
        if (!record->notice[i]) {
            continue;
        }
        struct render_cell *cells = t->note_cells[t->note_count];
        snprintf(t->notes[t->note_count], NOTE_TEXT, "%s: %s, %llu times; %s", name,
                 notices[i].what, (unsigned long long)record->notice[i], notices[i].advice);
        cells[0].text = name;
        cells[1].text = notices[i].name;
        cells[2].n = record->notice[i];
        cells[3].text = t->notes[t->note_count];
        t->noted[t->note_count++] = (struct render_row){cells, NULL};
    }
}

static const struct render_column about_columns[] = {
    {"command", NULL, RENDER_LABEL, true, NULL, NULL, NULL},
    {"mode", NULL, RENDER_LABEL, true, NULL, NULL, NULL},
    {"processes", NULL, RENDER_COUNT, true, "hrtimeout_processes",
     "Processes that loaded the library and counted.", NULL},
    {"policy_errors", NULL, RENDER_COUNT, true, "hrtimeout_policy_errors",
     "Settings in the environment that weren't understood.", NULL},
    {"elapsed_ns", NULL, RENDER_NS, true, NULL, NULL, NULL},
    {"cpu_ns", NULL, RENDER_NS, true, NULL, NULL, NULL},
    {"text", NULL, RENDER_SENTENCE, true, NULL, NULL, NULL},
};
#define ABOUT_COLUMNS (sizeof(about_columns) / sizeof(*about_columns))

static void word_about(char *to, size_t size, const struct stats_file *stats,
                       const struct report_about *about)
{
    char elapsed[NS_TEXT], cpu[NS_TEXT];
    unsigned long long n = stats->processes, errors = stats->policy_errors;
    size_t shown = strcspn(about->command, "\n");
    bool cut = about->command[shown] || shown > SHOWN;
    int used = snprintf(to, size, "hrtimeout: %.*s%s: %llu process%s",
                        (int)(shown > SHOWN ? SHOWN : shown), about->command, cut ? " ..." : "", n,
                        n == 1 ? "" : "es");
    if (about->elapsed_ns) {
        used += snprintf(to + used, size - (size_t)used, ", %s, %s CPU",
                         ns_text((uint64_t)about->elapsed_ns, elapsed),
                         ns_text((uint64_t)about->cpu_ns, cpu));
    }
    if (about->mode) {
        used += snprintf(to + used, size - (size_t)used, ", mode %s", about->mode);
    }
    if (errors) {
        used += snprintf(to + used, size - (size_t)used, ", %llu setting%s not understood", errors,
                         errors == 1 ? "" : "s");
    }
    if (!n) {
        snprintf(to + used, size - (size_t)used,
                 "; the library wasn't at work: `hrtimeout check` tells more");
    }
}

void report(FILE *to, enum render_format format, const struct stats_file *stats,
            const struct report_about *about)
{
    struct tables *t = calloc(1, sizeof(*t));
    size_t size = strlen(about->command) + NOTE_TEXT;
    char *text = malloc(size);
    if (!t || !text) {
        fail("out of memory");
        exit(EXIT_OURS);
    }
    for (unsigned i = 0; i < CALL_COUNT; i++) {
        add_call(t, call_names[i], &stats->call[i]);
        add_did(t, call_names[i], &stats->call[i]);
        add_notices(t, call_names[i], &stats->call[i]);
    }
    word_about(text, size, stats, about);
    const struct render_cell cells[ABOUT_COLUMNS] = {{about->command, 0},
                                                     {about->mode, 0},
                                                     {NULL, stats->processes},
                                                     {NULL, stats->policy_errors},
                                                     {NULL, (uint64_t)about->elapsed_ns},
                                                     {NULL, (uint64_t)about->cpu_ns},
                                                     {text, 0}};
    const struct render_row row = {cells, NULL};
    const struct render_table tables[] = {
        {"run", NULL, about_columns, ABOUT_COLUMNS, &row, 1, NULL, NULL},
        {"calls", "how waits ended, and how late those that timed out were", call_columns,
         CALL_COLUMNS, t->calls, t->call_count, "hrtimeout_lateness_seconds",
         "How long after its deadline a wait ended that ended by timeout."},
        {"library", "what the library did", did_columns, DID_COLUMNS, t->did, t->did_count, NULL,
         NULL},
        {"notices", "noticed", notice_columns, NOTICE_COLUMNS, t->noted, t->note_count, NULL, NULL},
    };
    render(to, format, tables, sizeof(tables) / sizeof(*tables));
    free(text);
    free(t);
}
