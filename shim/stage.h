/*
 * A stage: one blocking call into libc inside one wait. Each family of calls has three kinds of it.
 * stage.c knows which call makes a stage, and what to call instead when a filter refuses it; when
 * and how long is for wait.c to decide.
 */
#ifndef HRTIMEOUT_STAGE_H
#define HRTIMEOUT_STAGE_H

#include "stats.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* The words of an fd_set: what the real select clears in a stage has to be kept. */
#define SELECT_WORDS (FD_SETSIZE / (8 * sizeof(long)))

struct wait;

struct family {
    /* Waits for whole ms, keeping its deadline over a stop where the kernel can. */
    int (*bulk)(struct wait *w, int ms);
    /* Waits for ns, or longer where only ms can be had. */
    int (*rest)(struct wait *w, int64_t ns);
    /* Only looks. */
    int (*look)(struct wait *w);
};

/* One wait for descriptors: which call it stands for, and the arguments of its stages. */
struct wait {
    enum stat_call call;
    const struct family *family;
    const sigset_t *mask; /* the caller's; handed to each stage's own call */
    bool blocked;         /* a stage has found the descriptors good, and nothing ready */
    union {
        struct {
            struct pollfd *fds;
            nfds_t count;
        } poll;
        struct {
            int fd;
            struct epoll_event *events;
            int max;
        } epoll;
        struct {
            int nfds;
            fd_set *set[3];                      /* read, write, except: the caller's own */
            unsigned long (*kept)[SELECT_WORDS]; /* NULL: only one stage */
            bool cleared;                        /* by a stage that timed out */
        } select;
    };
};

extern const struct family family_poll, family_epoll, family_select;

/* One sleep until an absolute time in ns on `clock`: 0 or an error number, errno untouched. */
int stage_sleep(clockid_t clock, int64_t until);

#endif
