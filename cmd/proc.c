#include "proc.h"

#include "command.h"
#include "grid.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROC_PATH 96

pid_t proc_parse_pid(const char *command, const char *text)
{
    unsigned long pid;
    if (!number_of(text, 1, INT32_MAX, &pid)) {
        fail("%s: '%s' isn't a process id", command, text);
        return 0;
    }
    char *path = text_of("/proc/%lu", pid);
    if (access(path, F_OK) != 0) {
        fail("%s: no process %lu", command, pid);
        pid = 0;
    }
    free(path);
    return (pid_t)pid;
}

FILE *proc_open(pid_t pid, const char *name)
{
    char path[PROC_PATH];
    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    return fopen(path, "re");
}

long proc_status_number(pid_t pid, const char *field)
{
    char *line = NULL;
    long value = -1;
    size_t size = 0, length = strlen(field);
    FILE *status = proc_open(pid, "status");
    while (status && value < 0 && getline(&line, &size, status) > 0) {
        if (strncmp(line, field, length) == 0 && line[length] == ':') {
            value = strtol(line + length + 1, NULL, 10);
        }
    }
    free(line);
    if (status) {
        fclose(status);
    }
    return value;
}

char *proc_started_with(pid_t pid, const char *name)
{
    char *entry = NULL, *value = NULL;
    size_t size = 0, length = strlen(name);
    FILE *file = proc_open(pid, "environ");
    while (file && !value && getdelim(&entry, &size, '\0', file) > 0) {
        if (strncmp(entry, name, length) == 0 && entry[length] == '=') {
            value = text_of("%s", entry + length + 1);
        }
    }
    free(entry);
    if (file) {
        fclose(file);
    }
    return value;
}

bool proc_in_group(pid_t pid, const char *group)
{
    char *line = NULL;
    bool found = false;
    size_t size = 0, length = strlen(group);
    FILE *file = proc_open(pid, "cgroup");
    while (file && !found && getline(&line, &size, file) > 0) {
        char *path = strchr(line, ':');
        path = path ? strchr(path + 1, ':') : NULL;
        if (path && strncmp(path + 1, group, length) == 0) {
            found = path[length + 1] == '/' || path[length + 1] == '\n';
        }
    }
    free(line);
    if (file) {
        fclose(file);
    }
    return found;
}

/* A number in stat, counted from the last parenthesis: the name before it may hold anything. */
static unsigned long long stat_field(pid_t pid, int wanted)
{
    char text[1024];
    FILE *file = proc_open(pid, "stat");
    size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    text[n] = '\0';
    char *at = strrchr(text, ')');
    for (int field = 2; at && field < wanted; field++) {
        at = strchr(at + 1, ' ');
    }
    return at ? strtoull(at, NULL, 10) : 0;
}

unsigned long long proc_start_time(pid_t pid)
{
    return stat_field(pid, 22);
}

bool proc_is_kernel_thread(pid_t pid)
{
    return (stat_field(pid, 9) & 0x00200000) != 0; /* PF_KTHREAD */
}

char *proc_thread_name(pid_t pid, pid_t tid)
{
    char path[PROC_PATH], name[64] = "";
    snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);
    FILE *file = fopen(path, "re");
    if (file) {
        if (fgets(name, sizeof(name), file)) {
            name[strcspn(name, "\n")] = '\0';
        }
        fclose(file);
    }
    return text_of("%s", *name ? name : "?");
}

bool proc_threads_open(struct proc_threads *threads, pid_t pid)
{
    char path[PROC_PATH] = "/proc";
    if (pid) {
        snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    }
    threads->dir = opendir(path);
    return threads->dir != NULL;
}

pid_t proc_threads_next(struct proc_threads *threads)
{
    struct dirent *entry;
    while (threads->dir && (entry = readdir(threads->dir))) {
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') {
            return (pid_t)strtol(entry->d_name, NULL, 10);
        }
    }
    return 0;
}

void proc_threads_close(struct proc_threads *threads)
{
    if (threads->dir) {
        closedir(threads->dir);
    }
}

/* /proc/PID/task/TID has no such file, but /proc/TID opens for every thread. */
static int open_slack(pid_t tid, int flags)
{
    char path[PROC_PATH];
    snprintf(path, sizeof(path), "/proc/%d/timerslack_ns", (int)tid);
    return open(path, flags | O_CLOEXEC);
}

int proc_slack_read(pid_t tid, uint64_t *ns)
{
    char text[32];
    int fd = open_slack(tid, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    int error = n > 0 ? 0 : errno == ENOENT ? ESRCH : errno;
    if (fd >= 0) {
        close(fd);
    }
    if (!error) {
        text[n] = '\0';
        *ns = strtoull(text, NULL, 10);
    }
    return error;
}

int proc_slack_write(pid_t tid, uint64_t ns)
{
    char text[32];
    int length = snprintf(text, sizeof(text), "%llu", (unsigned long long)ns);
    int fd = open_slack(tid, O_WRONLY);
    int error = fd >= 0 && write(fd, text, (size_t)length) == length ? 0
                : errno == ENOENT                                    ? ESRCH
                                                                     : errno;
    if (fd >= 0) {
        close(fd);
    }
    return error;
}
