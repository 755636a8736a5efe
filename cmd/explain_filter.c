/* Which of the library's three states a system call filter here puts it into, and why. */
#include "explain.h"

#include "proc.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What tells that a container runtime put the filter there; NULL: nothing does. */
static const char *container_mark(void)
{
    return access("/.dockerenv", F_OK) == 0            ? "/.dockerenv"
           : access("/run/.containerenv", F_OK) == 0   ? "/run/.containerenv"
           : getenv("KUBERNETES_SERVICE_HOST") != NULL ? "KUBERNETES_SERVICE_HOST"
                                                       : NULL;
}

static bool refused(long result)
{
    return result < 0 && (errno == EPERM || errno == ENOSYS || errno == EACCES);
}

/* What of the calls that the library makes on its own is refused. Only where that doesn't kill. */
static char *refused_calls(void)
{
    struct timespec none = {0};
    char *list = NULL;
    if (refused(syscall(SYS_ppoll, NULL, 0, &none, NULL, 8))) {
        list = text_add(list, "ppoll");
    }
    if (refused(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &none, NULL))) {
        list = text_add(list, "clock_nanosleep");
    }
#ifdef SYS_epoll_pwait2
    if (refused(syscall(SYS_epoll_pwait2, -1, NULL, 1, &none, NULL, 8))) {
        list = text_add(list, "epoll_pwait2");
    }
#endif
    if (refused(prctl(PR_GET_TIMERSLACK))) {
        list = text_add(list, "prctl");
    }
    return list;
}

static void add_answers(struct grid *facts, const char *why)
{
    const char *list = refused_calls();
    explain_add(facts, "system call filter", "it answers",
                list ? text_of("%s: what it refuses is done in another way, here %s.", why, list)
                     : text_of("%s: all system calls that the library makes pass it.", why),
                2, "seccomp mode");
}

void explain_filter(struct grid *facts)
{
    const char *setting = getenv("HRTIMEOUT_SANDBOX"), *mark = container_mark();
    if (proc_status_number(getpid(), "Seccomp") <= 0) {
        explain_add(facts, "system call filter", "none", "All system calls may be used.", 0,
                    "seccomp mode");
    } else if (setting && strcmp(setting, "trust") == 0) {
        add_answers(facts, "HRTIMEOUT_SANDBOX=trust says so");
    } else if (mark && !(setting && strcmp(setting, "same") == 0)) {
        add_answers(facts, text_of("%s shows that it is a container's", mark));
    } else {
        explain_add(facts, "system call filter", "it may kill",
                    text_of("%s: only libc's own system calls are made, so poll and epoll_wait "
                            "stay native (see --sandbox).",
                            mark ? "HRTIMEOUT_SANDBOX=same says so"
                                 : "nothing shows that it is a container's"),
                    2, "seccomp mode");
    }
}
