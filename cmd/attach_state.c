#include "attach_state.h"

#include "command.h"
#include "grid.h"
#include "proc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[PATH_MAX];

/* Processes that are gone leave their files behind; the system's start clears what is missed. */
static void sweep(void)
{
    struct dirent *entry;
    DIR *dir = opendir(directory);
    while (dir && (entry = readdir(dir))) {
        int pid = (int)strtol(entry->d_name, NULL, 10);
        char *path = text_of("/proc/%d", pid);
        if (pid > 0 && access(path, F_OK) != 0) {
            attach_state_remove(pid);
        }
        free(path);
    }
    if (dir) {
        closedir(dir);
    }
}

bool attach_state_lock(const char *command)
{
    struct stat st;
    const char *own = getenv("XDG_RUNTIME_DIR");
    const char *base = geteuid() == 0 ? "/run" : own;
    if (!base || !*base) {
        fail("%s: no XDG_RUNTIME_DIR to remember the old timer slack in", command);
        return false;
    }
    snprintf(directory, sizeof(directory), "%s/hrtimeout", base);
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        fail("%s: can't make %s: %s", command, directory, strerror(errno));
        return false;
    }
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0 || st.st_uid != geteuid() || flock(fd, LOCK_EX) != 0) {
        fail("%s: %s can't be used: it has to be a directory of one's own", command, directory);
        return false;
    }
    sweep();
    return true; /* the descriptor stays open, and with it the lock */
}

static char *path_of(pid_t pid)
{
    return text_of("%s/%d", directory, (int)pid);
}

void attach_state_add(struct attach_state *state, pid_t tid, uint64_t slack)
{
    void *more = realloc(state->threads, (state->count + 1) * sizeof(*state->threads));
    if (!more) {
        exit(fail("out of memory"));
    }
    state->threads = more;
    state->threads[state->count++] = (struct attach_thread){tid, slack};
}

/* First line: the process's start time and what was set. Then a line a thread. */
void attach_state_read(struct attach_state *state, pid_t pid)
{
    unsigned long long start, set, slack;
    int tid;
    char *path = path_of(pid);
    FILE *file = fopen(path, "re");
    *state = (struct attach_state){.pid = pid};
    if (file && fscanf(file, "%llu %llu", &start, &set) == 2 && start == proc_start_time(pid)) {
        state->set = set;
        while (fscanf(file, "%d %llu", &tid, &slack) == 2) {
            attach_state_add(state, tid, slack);
        }
    }
    if (file) {
        fclose(file);
    }
    free(path);
}

/* By way of another name, so that a full disk doesn't cost what was remembered. */
bool attach_state_write(const char *command, const struct attach_state *state)
{
    char *path = path_of(state->pid), *fresh = text_of("%s.new", path);
    FILE *file = fopen(fresh, "we");
    bool good = file != NULL;
    if (good) {
        fprintf(file, "%llu %llu\n", proc_start_time(state->pid), (unsigned long long)state->set);
        for (size_t i = 0; i < state->count; i++) {
            fprintf(file, "%d %llu\n", (int)state->threads[i].tid,
                    (unsigned long long)state->threads[i].slack);
        }
        good = !ferror(file);
        good = fclose(file) == 0 && good && rename(fresh, path) == 0;
    }
    if (!good) {
        fail("%s: can't write %s: %s", command, path, strerror(errno));
    }
    free(path);
    free(fresh);
    return good;
}

void attach_state_remove(pid_t pid)
{
    char *path = path_of(pid);
    unlink(path);
    free(path);
}

const struct attach_thread *attach_state_find(const struct attach_state *state, pid_t tid)
{
    for (size_t i = 0; i < state->count; i++) {
        if (state->threads[i].tid == tid) {
            return &state->threads[i];
        }
    }
    return NULL;
}
