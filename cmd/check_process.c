/* Judges a running process by what it has mapped, its rights, its filters and its threads. */
#include "check.h"

#include "command.h"
#include "proc.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_OBJECTS 1024

struct objects {
    const struct elf_file *items[MOST_OBJECTS];
    size_t count;
    bool loaded; /* the library is among them */
};

/* The files that are mapped to be executed, each once, seen from the process's own root. */
static bool read_maps(pid_t pid, struct objects *objects)
{
    char line[PATH_MAX + 128], last[PATH_MAX] = "";
    FILE *maps = proc_open(pid, "maps");
    if (!maps) {
        return false;
    }
    while (fgets(line, sizeof(line), maps)) {
        char *path = strchr(line, '/');
        const char *rights = strchr(line, ' ');
        if (!path || !rights || rights[3] != 'x') {
            continue;
        }
        path[strcspn(path, "\n")] = '\0';
        if (strcmp(path, last) == 0) {
            continue;
        }
        snprintf(last, sizeof(last), "%s", path);
        const char *base = strrchr(path, '/') + 1;
        objects->loaded |= strcmp(base, "libhrtimeout.so") == 0;
        const char *wrong;
        char *name = text_of("/proc/%d/root%s", (int)pid, path);
        struct elf_file *elf = elf_file_read(name, &wrong);
        if (elf && objects->count < MOST_OBJECTS && strcmp(base, "libhrtimeout.so") != 0) {
            elf->path = text_of("%s", path);
            objects->items[objects->count++] = elf;
        }
        free(name);
    }
    fclose(maps);
    return true;
}

/* Whether the loader had to distrust the environment when it started. */
static bool started_secure(pid_t pid, int bits)
{
    union {
        uint32_t narrow[2];
        uint64_t wide[2];
    } pair;
    size_t size = bits == 32 ? sizeof(pair.narrow) : sizeof(pair.wide);
    bool secure = false;
    FILE *auxv = proc_open(pid, "auxv");
    while (auxv && fread(&pair, size, 1, auxv) == 1) {
        uint64_t type = bits == 32 ? pair.narrow[0] : pair.wide[0];
        uint64_t value = bits == 32 ? pair.narrow[1] : pair.wide[1];
        secure |= type == AT_SECURE && value;
    }
    if (auxv) {
        fclose(auxv);
    }
    return secure;
}

static void judge_filter(pid_t pid, struct checked *checked)
{
    long mode = proc_status_number(pid, "Seccomp");
    if (mode > 0) {
        check_because(checked, REACHED,
                      mode == 1 ? "strict seccomp is on: it can't sleep at all"
                                : "a seccomp filter is on: only libc's own system calls are made, "
                                  "poll and epoll_wait stay native (see --sandbox)");
    }
}

/* One row a thread; the summary "1 ns" or "1 ns .. 50.0 us" is returned. */
static char *add_threads(struct check_tables *tables, pid_t pid)
{
    struct proc_threads threads;
    char low[NS_TEXT], high[NS_TEXT];
    uint64_t least = UINT64_MAX, most = 0;
    proc_threads_open(&threads, pid);
    for (pid_t tid; (tid = proc_threads_next(&threads));) {
        uint64_t slack;
        if (proc_slack_read(tid, &slack) != 0) {
            continue;
        }
        struct render_cell *cells = grid_row(tables->threads);
        cells[0].text = text_of("%d", (int)pid);
        cells[1].text = text_of("%d", (int)tid);
        cells[2].text = proc_thread_name(pid, tid);
        cells[3].n = slack;
        least = slack < least ? slack : least;
        most = slack > most ? slack : most;
    }
    proc_threads_close(&threads);
    if (least == UINT64_MAX) {
        return NULL;
    }
    return least == most ? text_of("%s", ns_text(least, low))
                         : text_of("%s .. %s", ns_text(least, low), ns_text(most, high));
}

static void judge(struct check_tables *tables, const char *name, pid_t pid, struct checked *checked)
{
    static struct objects objects;
    objects.count = 0;
    objects.loaded = false;
    const char *wrong;
    char *exe = text_of("/proc/%d/exe", (int)pid);
    struct elf_file *program = elf_file_read(exe, &wrong);
    if (program && !read_maps(pid, &objects)) {
        wrong = strerror(errno);
        program = NULL;
    }
    if (!program) {
        bool denied = access(exe, R_OK) != 0 && (errno == EACCES || errno == EPERM);
        check_because(checked, UNREADABLE,
                      denied ? "can't be read: needs its user's rights, or root" : wrong);
        return;
    }
    check_imports(tables, name, checked, objects.items, objects.count);
    if (objects.loaded) {
        checked->kind = text_of("%s", elf_machine(program));
        checked->reach = LOADED;
        check_because(checked, LOADED, "has the library");
    } else {
        check_elf(checked, program, objects.items, objects.count);
        if (started_secure(pid, program->bits)) {
            check_because(checked, NOT_REACHED,
                          "started with more rights than its caller had: the loader keeps "
                          "preloaded libraries out");
        }
        if (checked->reach < NO_WAITS) {
            check_because(checked, REACHED,
                          "running without it: start it again under `hrtimeout run`, or use "
                          "`hrtimeout attach` for its timer slack");
        }
    }
    judge_filter(pid, checked);
}

enum reach check_process(struct check_tables *tables, pid_t pid, bool named)
{
    struct checked checked = {0};
    char *name = proc_thread_name(pid, pid);
    judge(tables, name, pid, &checked);
    if (named && checked.reach == UNREADABLE) {
        fail("check: process %d (%s): %s", (int)pid, name, checked.why);
        return UNREADABLE;
    }
    if (!named && !proc_start_time(pid)) {
        return REACHED; /* it has ended meanwhile */
    }
    check_row(tables, name, text_of("%d", (int)pid), add_threads(tables, pid), &checked);
    return checked.reach;
}
