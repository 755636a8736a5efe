/* hrtimeout check: which programs the library reaches, and why not the others. */
#include "check.h"

#include "command.h"
#include "proc.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define EXIT_NOT_REACHED 1

static const struct render_column checked_columns[] = {
    {"name", "name", RENDER_LABEL, true, NULL, NULL, NULL},
    {"pid", "pid", RENDER_LABEL, false, NULL, NULL, NULL},
    {"reach", "reached", RENDER_LABEL, true, NULL, NULL, NULL},
    {"kind", "kind", RENDER_LABEL, false, NULL, NULL, NULL},
    {"slack", "slack", RENDER_LABEL, false, NULL, NULL, NULL},
    {"waits", "waits by", RENDER_LABEL, false, NULL, NULL, NULL},
    {"why", "why", RENDER_LABEL, false, NULL, NULL, NULL},
};
static const struct render_column import_columns[] = {
    {"name", "name", RENDER_LABEL, true, NULL, NULL, NULL},
    {"object", "program or library", RENDER_LABEL, true, NULL, NULL, NULL},
    {"functions", "imports", RENDER_LABEL, true, NULL, NULL, NULL},
};
static const struct render_column thread_columns[] = {
    {"pid", "pid", RENDER_LABEL, true, NULL, NULL, NULL},
    {"tid", "thread", RENDER_LABEL, true, NULL, NULL, NULL},
    {"name", "name", RENDER_LABEL, true, NULL, NULL, NULL},
    {"slack_ns", "timer slack", RENDER_NS, true, NULL, NULL, NULL},
};
#define COLUMNS(array) (sizeof(array) / sizeof(*(array)))

static struct grid checked = {.table = {.key = "checked",
                                        .columns = checked_columns,
                                        .column_count = COLUMNS(checked_columns)}};
static struct grid imports = {.table = {.key = "imports",
                                        .columns = import_columns,
                                        .column_count = COLUMNS(import_columns)}};
static struct grid threads = {.table = {.key = "threads",
                                        .columns = thread_columns,
                                        .column_count = COLUMNS(thread_columns)}};

void check_row(struct check_tables *tables, const char *name, const char *pid, const char *slack,
               const struct checked *found)
{
    static const char *const words[] = {"yes", "loaded", "no waits", "no", "unknown"};
    struct render_cell *cells = grid_row(tables->checked);
    cells[0].text = name;
    cells[1].text = pid;
    cells[2].text = words[found->reach];
    cells[3].text = found->kind;
    cells[4].text = slack;
    cells[5].text = found->waits;
    cells[6].text = found->why;
}

struct check {
    struct check_tables tables;
    const char **files;
    size_t file_count;
    pid_t pids[64];
    size_t pid_count;
    bool all, json;
};

enum { KEY_JSON = 256 };

static const struct argp_option options[] = {
    {"pid", 'p', "PID", 0, "a running process; may be given more than once", 0},
    {"all", 'a', NULL, 0, "all running processes", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct check *check = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        return 0;
    case 'p':
        if (check->pid_count == COLUMNS(check->pids)) {
            fail("check: too many processes; use --all");
            return EINVAL;
        }
        check->pids[check->pid_count] = proc_parse_pid("check", arg);
        return check->pids[check->pid_count++] ? 0 : EINVAL;
    case 'a':
        check->all = true;
        return 0;
    case KEY_JSON:
        check->json = true;
        return 0;
    case ARGP_KEY_ARG:
        check->files[check->file_count++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "FILE...",
    "Says of programs, scripts and running processes whether the library reaches them, which of "
    "the functions it takes over they import, and what is in the way.\v"
    "Examples:\n"
    "  hrtimeout check python3 /usr/sbin/sshd    by name or by path\n"
    "  hrtimeout check --pid 1234                a process, with its threads' timer slack\n"
    "  hrtimeout check --all --json | jq '.checked[] | select(.reach == \"no\")'\n\n"
    "Reached is one of: yes; loaded (a process that has the library); no waits (it loads the\n"
    "library but calls nothing that is taken over); no; unknown (it can't be read).\n"
    "Exit status: 0 if all are reached, 1 if one isn't, 125 if hrtimeout itself fails.",
    NULL,
    NULL,
    NULL};

static enum reach check_all(struct check_tables *tables)
{
    struct proc_threads processes;
    enum reach worst = REACHED;
    proc_threads_open(&processes, 0);
    for (pid_t pid; (pid = proc_threads_next(&processes));) {
        if (pid != getpid() && !proc_is_kernel_thread(pid)) {
            enum reach reach = check_process(tables, pid, false);
            worst = reach > worst ? reach : worst;
        }
    }
    proc_threads_close(&processes);
    return worst;
}

/* Nothing at all when no row came about. Who imports what and each thread's slack would be pages
 * and pages for all processes. */
static void show(const struct check *check)
{
    if (!checked.table.row_count) {
        return;
    }
    const struct render_table tables[] = {checked.table, imports.table, threads.table};
    render(stdout, check->json ? RENDER_JSON : RENDER_TABLE, tables,
           check->all && !check->json ? 1 : COLUMNS(tables));
}

int cmd_check(int argc, char **argv)
{
    struct check check = {.tables = {&checked, &imports, &threads}};
    enum reach worst = REACHED;
    argp_err_exit_status = EXIT_OURS;
    argv[0] = "hrtimeout check";
    check.files = calloc((size_t)argc, sizeof(*check.files));
    if (!check.files || argp_parse(&argp, argc, argv, 0, NULL, &check)) {
        return EXIT_OURS;
    }
    if (!check.file_count && !check.pid_count && !check.all) {
        return fail("check: no file, --pid or --all given");
    }
    for (size_t i = 0; i < check.file_count + check.pid_count; i++) {
        enum reach reach =
            i < check.file_count
                ? check_file(&check.tables, check.files[i])
                : check_process(&check.tables, check.pids[i - check.file_count], true);
        worst = reach > worst ? reach : worst;
    }
    bool unreadable = worst == UNREADABLE;
    if (check.all) {
        enum reach reach = check_all(&check.tables);
        worst = reach > worst ? reach : worst;
    }
    show(&check);
    int code = finish_output(stdout);
    return code || unreadable ? EXIT_OURS : worst <= NO_WAITS ? 0 : EXIT_NOT_REACHED;
}
