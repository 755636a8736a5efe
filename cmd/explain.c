/* hrtimeout explain: what the kernel here does to timed waits, and what that means. */
#include "explain.h"

#include "command.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { KEY_JSON = 256 };

static const struct argp_option options[] = {{"json", KEY_JSON, NULL, 0, "print JSON", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key == ARGP_KEY_INIT) {
        state->err_stream = NULL;
        return 0;
    }
    if (key == KEY_JSON) {
        *(bool *)state->input = true;
        return 0;
    }
    if (key == ARGP_KEY_ARG) {
        fail("explain: takes no arguments");
        return EINVAL;
    }
    return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Measures and tells what the kernel here does to timed waits, and what each finding means. "
    "Takes about a second.\v"
    "Examples:\n"
    "  hrtimeout explain\n"
    "  hrtimeout explain --json | jq '.facts[] | select(.what == \"wake-up latency\").number'",
    NULL,
    NULL,
    NULL};

static const struct render_column columns[] = {
    {"what", "", RENDER_LABEL, true, NULL, NULL, NULL},
    {"value", "", RENDER_LABEL, true, NULL, NULL, NULL},
    {"meaning", "", RENDER_LABEL, true, NULL, NULL, NULL},
    {"number", "", RENDER_GAUGE, true, NULL, NULL, NULL},
    {"unit", "", RENDER_LABEL, true, NULL, NULL, NULL},
};

void explain_add(struct grid *facts, const char *what, const char *value, const char *meaning,
                 uint64_t number, const char *unit)
{
    struct render_cell *cells = grid_row(facts);
    cells[0].text = what;
    cells[1].text = value;
    cells[2].text = meaning;
    cells[3].n = number;
    cells[4].text = unit;
}

char *explain_line(const char *path)
{
    char line[512];
    FILE *file = fopen(path, "re");
    char *read = file ? fgets(line, sizeof(line), file) : NULL;
    if (file) {
        fclose(file);
    }
    if (!read) {
        return NULL;
    }
    line[strcspn(line, "\n")] = '\0';
    return text_of("%s", line);
}

int cmd_explain(int argc, char **argv)
{
    static struct grid facts = {.table = {.key = "facts",
                                          .columns = columns,
                                          .column_count = sizeof(columns) / sizeof(*columns)}};
    bool json = false;
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout explain";
    if (argp_parse(&argp, argc, argv, 0, NULL, &json)) {
        return EXIT_OURS;
    }
    explain_clock(&facts);
    explain_slack(&facts);
    explain_calls(&facts);
    explain_filter(&facts);
    explain_quota(&facts);
    explain_idle(&facts);
    explain_probe(&facts);
    if (json) {
        render(stdout, RENDER_JSON, &facts.table, 1);
        return finish_output(stdout);
    }
    for (size_t i = 0; i < facts.table.row_count; i++) {
        const struct render_cell *cells = facts.rows[i].cells;
        printf("%-22s %s\n    %s\n", cells[0].text, cells[1].text, cells[2].text);
    }
    return finish_output(stdout);
}
