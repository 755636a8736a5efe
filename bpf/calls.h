/*
 * Which kind of wait a system call number is, by machine and width. No system header helps here:
 * one BPF object runs on every machine, and a 64-bit kernel counts its 32-bit programs' calls by
 * their own numbers.
 */
#ifndef HRTIMEOUT_CALLS_H
#define HRTIMEOUT_CALLS_H

#include "slack.h"

enum machine { X86_64, X86_32, ARM64, ARM_32 };

#define CALL_NONE    (-1)
#define CALL_RESTART (-2) /* restart_syscall: goes on with whatever was interrupted */

static inline int call_of_x86_64(long nr)
{
    switch (nr) {
    case 7:
        return CALL_POLL;
    case 23:
        return CALL_SELECT;
    case 35:
        return CALL_NANOSLEEP;
    case 219:
        return CALL_RESTART;
    case 230:
        return CALL_CLOCK_NANOSLEEP;
    case 232:
        return CALL_EPOLL_WAIT;
    case 270:
        return CALL_PSELECT;
    case 271:
        return CALL_PPOLL;
    case 281:
        return CALL_EPOLL_PWAIT;
    case 441:
        return CALL_EPOLL_PWAIT2;
    default:
        return CALL_NONE;
    }
}

static inline int call_of_arm64(long nr)
{
    switch (nr) {
    case 22:
        return CALL_EPOLL_PWAIT;
    case 72:
        return CALL_PSELECT;
    case 73:
        return CALL_PPOLL;
    case 101:
        return CALL_NANOSLEEP;
    case 115:
        return CALL_CLOCK_NANOSLEEP;
    case 128:
        return CALL_RESTART;
    case 441:
        return CALL_EPOLL_PWAIT2;
    default:
        return CALL_NONE;
    }
}

/* What i386 and arm number alike; 407 and up have 64-bit time. */
static inline int call_of_32bit(long nr)
{
    switch (nr) {
    case 0:
        return CALL_RESTART;
    case 82: /* i386: the old one, with its arguments in memory */
    case 142:
        return CALL_SELECT;
    case 162:
        return CALL_NANOSLEEP;
    case 168:
        return CALL_POLL;
    case 407:
        return CALL_CLOCK_NANOSLEEP;
    case 413:
        return CALL_PSELECT;
    case 414:
        return CALL_PPOLL;
    case 441:
        return CALL_EPOLL_PWAIT2;
    default:
        return CALL_NONE;
    }
}

static inline int call_of_x86_32(long nr)
{
    switch (nr) {
    case 256:
        return CALL_EPOLL_WAIT;
    case 267:
        return CALL_CLOCK_NANOSLEEP;
    case 308:
        return CALL_PSELECT;
    case 309:
        return CALL_PPOLL;
    case 319:
        return CALL_EPOLL_PWAIT;
    default:
        return call_of_32bit(nr);
    }
}

static inline int call_of_arm_32(long nr)
{
    switch (nr) {
    case 252:
        return CALL_EPOLL_WAIT;
    case 265:
        return CALL_CLOCK_NANOSLEEP;
    case 335:
        return CALL_PSELECT;
    case 336:
        return CALL_PPOLL;
    case 346:
        return CALL_EPOLL_PWAIT;
    default:
        return call_of_32bit(nr);
    }
}

static inline int call_of(enum machine machine, long nr)
{
    switch (machine) {
    case X86_64:
        return call_of_x86_64(nr);
    case X86_32:
        return call_of_x86_32(nr);
    case ARM64:
        return call_of_arm64(nr);
    case ARM_32:
        return call_of_arm_32(nr);
    }
    return CALL_NONE;
}

#endif
