/* /proc: what processes and threads say about themselves. */
#ifndef HRTIMEOUT_PROC_H
#define HRTIMEOUT_PROC_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A pid from the command line. 0 after a message when it isn't one, or no such process is there. */
pid_t proc_parse_pid(const char *command, const char *text);

/* /proc/PID/NAME; NULL with errno. */
FILE *proc_open(pid_t pid, const char *name);

/* A number in /proc/PID/status; -1 when it isn't there. */
long proc_status_number(pid_t pid, const char *field);

/* The value of a variable in the environment that the process was started with; NULL: not set. */
char *proc_started_with(pid_t pid, const char *name);

/* Whether the process is in this control group or one below, in any hierarchy. */
bool proc_in_group(pid_t pid, const char *group);

/* When the process started, in clock ticks since boot: with the pid it names a process for good.
 * 0 when it is gone. */
unsigned long long proc_start_time(pid_t pid);

bool proc_is_kernel_thread(pid_t pid);

/* A thread's name; never NULL. */
char *proc_thread_name(pid_t pid, pid_t tid);

/* All threads, or with pid 0 all processes. */
struct proc_threads {
    DIR *dir;
};
bool proc_threads_open(struct proc_threads *threads, pid_t pid);
pid_t proc_threads_next(struct proc_threads *threads);
void proc_threads_close(struct proc_threads *threads);

/* A thread's timer slack; another process's takes CAP_SYS_NICE. 0, or an errno; ESRCH when the
 * thread is gone. */
int proc_slack_read(pid_t tid, uint64_t *ns);
int proc_slack_write(pid_t tid, uint64_t ns);

#endif
