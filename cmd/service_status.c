/* hrtimeout service status and list: what the units' processes really have. */
#include "service.h"

#include "check.h"
#include "command.h"
#include "proc.h"
#include "service_late.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_NOT_LOADED 1
#define COLUMNS(array)  (sizeof(array) / sizeof(*(array)))

static const struct render_column status_columns[] = {
    {"unit", "unit", RENDER_LABEL, true, NULL, NULL, NULL},
    {"pid", "pid", RENDER_LABEL, true, NULL, NULL, NULL},
    {"name", "name", RENDER_LABEL, true, NULL, NULL, NULL},
    {"library", "library", RENDER_LABEL, true, NULL, NULL, NULL},
    {"mode", "mode", RENDER_LABEL, true, NULL, NULL, NULL},
    {"slack", "timer slack", RENDER_LABEL, true, NULL, NULL, NULL},
    {"late", "lateness", RENDER_LABEL, false, NULL, NULL, NULL},
    {"why", "remarks", RENDER_LABEL, false, NULL, NULL, NULL},
};
static const struct render_column list_columns[] = {
    {"unit", "unit", RENDER_LABEL, true, NULL, NULL, NULL},
    {"mode", "mode", RENDER_LABEL, true, NULL, NULL, NULL},
    {"active", "state", RENDER_LABEL, true, NULL, NULL, NULL},
    {"file", "drop-in", RENDER_LABEL, true, NULL, NULL, NULL},
};

/* What else check has to say: that the library is there has a column of its own, and of a filter it
 * only knows what holds without `trust`. */
static const char *remark(bool loaded, bool trusts, const char *why)
{
    const char *rest = loaded && why ? strchr(why, ';') : NULL;
    return !loaded ? why : rest && !trusts ? rest + 2 : NULL;
}

/* One row. Whether the process has the library. */
static bool show_process(struct grid *status, const struct unit *unit, pid_t pid)
{
    static const struct render_column none[7];
    struct grid checked = {.table = {.columns = none, .column_count = COLUMNS(none)}};
    struct grid imports = {.table = {.columns = none, .column_count = COLUMNS(none)}};
    struct grid threads = {.table = {.columns = none, .column_count = COLUMNS(none)}};
    struct check_tables tables = {&checked, &imports, &threads};
    enum reach reach = check_process(&tables, pid, false);
    const struct render_cell *found = checked.rows[checked.table.row_count - 1].cells;
    bool loaded = reach == LOADED;
    char *mode = proc_started_with(pid, "HRTIMEOUT_MODE");
    char *sandbox = proc_started_with(pid, "HRTIMEOUT_SANDBOX");
    struct render_cell *cells = grid_row(status);
    cells[0].text = unit->name;
    cells[1].text = text_of("%d", (int)pid);
    cells[2].text = found[0].text;
    cells[3].text = loaded ? "loaded" : reach == UNREADABLE ? "unknown" : "not loaded";
    cells[4].text = !loaded ? "-" : mode ? mode : "timer";
    cells[5].text = found[4].text;
    cells[6].text = service_late(pid, proc_started_with(pid, "HRTIMEOUT_STATS"));
    cells[7].text = remark(loaded, sandbox && strcmp(sandbox, "trust") == 0, found[6].text);
    return loaded;
}

/* Whether all of its processes have it. */
static bool show_unit(struct grid *status, const struct unit *unit)
{
    struct proc_threads processes;
    const char *group = unit_value(unit, "ControlGroup");
    bool all = true, any = false;
    if (*group && strcmp(group, "/") != 0 && proc_threads_open(&processes, 0)) {
        for (pid_t pid; (pid = proc_threads_next(&processes));) {
            if (proc_in_group(pid, group)) {
                any = true;
                all = show_process(status, unit, pid) && all;
            }
        }
        proc_threads_close(&processes);
    }
    if (!any) {
        struct render_cell *cells = grid_row(status);
        cells[0].text = unit->name;
        cells[7].text = unit_value(unit, "ActiveState");
    }
    return all;
}

int service_status(char **names, size_t count, bool user, bool json)
{
    struct grid status = {.table = {.key = "services",
                                    .columns = status_columns,
                                    .column_count = COLUMNS(status_columns)}};
    int worst = 0;
    for (size_t i = 0; i < count; i++) {
        struct unit *unit = calloc(1, sizeof(*unit));
        int code = !unit || !unit_read(unit, names[i], user) ? EXIT_OURS
                   : show_unit(&status, unit)                ? 0
                                                             : EXIT_NOT_LOADED;
        worst = code > worst ? code : worst;
    }
    if (status.table.row_count) {
        render(stdout, json ? RENDER_JSON : RENDER_TABLE, &status.table, 1);
    }
    int code = finish_output(stdout);
    return code ? code : worst;
}

int service_list(bool user, bool json)
{
    struct grid list = {.table = {.key = "enabled",
                                  .columns = list_columns,
                                  .column_count = COLUMNS(list_columns)}};
    char *one = dropin_directory("", user);
    if (!one) {
        return EXIT_OURS;
    }
    one[strlen(one) - strlen("/.d")] = '\0';
    struct dirent **entries;
    int n = scandir(one, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        char *file = text_of("%s/%s/" SERVICE_DROPIN, one, name);
        if (length < 3 || strcmp(name + length - 2, ".d") != 0 || access(file, R_OK) != 0) {
            continue;
        }
        struct unit *unit = calloc(1, sizeof(*unit));
        struct render_cell *cells = grid_row(&list);
        const char *mode = dropin_setting(file, "HRTIMEOUT_MODE");
        cells[0].text = text_of("%.*s", (int)length - 2, name);
        cells[1].text = mode ? mode : "as " SERVICE_DEFAULTS;
        cells[2].text =
            unit && unit_read(unit, cells[0].text, user) ? unit_value(unit, "ActiveState") : NULL;
        cells[3].text = file;
    }
    if (list.table.row_count || json) {
        render(stdout, json ? RENDER_JSON : RENDER_TABLE, &list.table, 1);
    }
    return finish_output(stdout);
}
