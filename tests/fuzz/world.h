/* The descriptors of a program: every kind of thing that a wait can be asked about. */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include "program.h"

enum kind {
    KIND_PIPE_EMPTY,
    KIND_PIPE_DATA,
    KIND_PIPE_ROOM, /* the writing end */
    KIND_PIPE_FULL, /* the writing end */
    KIND_PIPE_HUNG_UP,
    KIND_PIPE_HUNG_UP_DATA,
    KIND_PIPE_BROKEN, /* the writing end, no reader */
    KIND_PAIR_IDLE,
    KIND_PAIR_DATA,
    KIND_PAIR_HALF, /* the peer has shut down its writing */
    KIND_PAIR_GONE,
    KIND_DGRAM_DATA,
    KIND_TCP_REFUSED,
    KIND_TCP_OOB,
    KIND_TCP_HALF,
    KIND_TCP_NEW, /* neither connected nor listening */
    KIND_TCP_LISTENING,
    KIND_TCP_WAITING, /* listening, a connection waits */
    KIND_UDP_IDLE,
    KIND_UDP_ERROR,
    KIND_PTY_IDLE,
    KIND_PTY_DATA,
    KIND_PTY_CLOSED,
    KIND_PTY_SLAVE,
    KIND_EVENT_ZERO,
    KIND_EVENT_SET,
    KIND_EVENT_FULL,
    KIND_TIMER_FAR,
    KIND_TIMER_DUE,
    KIND_SIGNAL_IDLE,
    KIND_SIGNAL_DUE,
    KIND_INOTIFY_IDLE,
    KIND_INOTIFY_DATA,
    KIND_REGULAR,
    KIND_DIRECTORY,
    KIND_NULL,
    KIND_MEMFD,
    KIND_PATH, /* O_PATH */
    KIND_EPOLL_IDLE,
    KIND_EPOLL_READY,
    KIND_PIDFD,
    KIND_MOUNTS,
    KIND_CLOSED,
    KIND_ABOVE,    /* a number above the table */
    KIND_NEGATIVE, /* -1: poll skips it */
    KINDS
};

struct desc {
    int fd;
    int peer; /* the other end, or -1 */
};

extern struct desc world[MAX_DESCS];
extern const char *const kind_names[KINDS];

void world_make(const struct program *p);
void world_act(enum action action, int desc);
/* Bytes that can be read, or -1. */
int world_readable(int desc);

#endif
