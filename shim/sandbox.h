/*
 * System call filters. A filter that its author tested against plain libc may kill a process for a
 * call that only this library makes, so what the library may try depends on what is known of one.
 */
#ifndef HRTIMEOUT_SANDBOX_H
#define HRTIMEOUT_SANDBOX_H

#include "policy.h"

#include <stdbool.h>

enum sandbox {
    SANDBOX_NONE,    /* no filter: everything is used */
    SANDBOX_ANSWERS, /* a container runtime's profile: everything is tried, an error means "don't"
                      */
    SANDBOX_MAY_KILL /* only the system calls that this libc makes for the function itself */
};

/* Calls that a wait may make although the program didn't; an error once means never again. */
enum extra_call { EXTRA_POLL, EXTRA_PPOLL, EXTRA_EPOLL_PWAIT2, EXTRA_CLOCK_NANOSLEEP, EXTRA_COUNT };

extern enum sandbox sandbox_state;
extern bool sandbox_denied[EXTRA_COUNT];

/* Reads the state at start: /proc/self/status and the marks that container runtimes leave. */
void sandbox_init(enum sandbox_setting setting);

/* A filter is about to be installed by the program itself. */
void sandbox_coming(void);

static inline enum sandbox sandbox(void)
{
    return __atomic_load_n(&sandbox_state, __ATOMIC_RELAXED);
}

/* Whether a call that the program itself wouldn't make may be made. */
static inline bool sandbox_allows(enum extra_call call)
{
    return sandbox() != SANDBOX_MAY_KILL &&
           !__atomic_load_n(&sandbox_denied[call], __ATOMIC_RELAXED);
}

/*
 * Whether `error` (errno value) of a call the program didn't ask for is a filter's answer rather
 * than the call's own; remembers it. The caller then does what the program asked for instead.
 */
bool sandbox_refused(enum extra_call call, int error);

#endif
