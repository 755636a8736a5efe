/* What the threads of attached processes had before, remembered until they are detached. */
#ifndef HRTIMEOUT_ATTACH_STATE_H
#define HRTIMEOUT_ATTACH_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct attach_thread {
    pid_t tid;
    uint64_t slack; /* what it had */
};

struct attach_state {
    pid_t pid;
    uint64_t set; /* what attach gave it last; 0: not attached */
    struct attach_thread *threads;
    size_t count;
};

/* Takes the lock that other attaches and detaches wait for, until this process ends. False after a
 * message. */
bool attach_state_lock(const char *command);

/* Reads what is remembered of a process. What another process with this id left doesn't count. */
void attach_state_read(struct attach_state *state, pid_t pid);

/* False after a message. */
bool attach_state_write(const char *command, const struct attach_state *state);

void attach_state_remove(pid_t pid);

/* NULL when the thread isn't known. */
const struct attach_thread *attach_state_find(const struct attach_state *state, pid_t tid);
void attach_state_add(struct attach_state *state, pid_t tid, uint64_t slack);

#endif
