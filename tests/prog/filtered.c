/* filtered allow CALL,... | EPERM CALL,... [NAME=VALUE...] -- COMMAND...: becomes COMMAND under a
 * system call filter. `allow` kills on every call that isn't listed; with the name of an error the
 * listed calls get it and the rest is let through. A call is a number or one of the names below. */
#include "seccomp_filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
    const char *name;
    int number;
} names[] = {{"acct", SYS_acct},
             {"prctl", SYS_prctl},
             {"ppoll", SYS_ppoll},
#ifdef SYS_poll
             {"poll", SYS_poll},
#endif
             {"clock_nanosleep", SYS_clock_nanosleep},
             {"epoll_pwait2", SYS_epoll_pwait2}},
  errors[] = {{"EPERM", EPERM}, {"ENOSYS", ENOSYS}, {"EACCES", EACCES}};

static int number_of(const char *word)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(names[i].name, word) == 0) {
            return names[i].number;
        }
    }
    return atoi(word);
}

static int error_of(const char *word)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
        if (strcmp(errors[i].name, word) == 0) {
            return errors[i].number;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    static struct seccomp_filter filter;
    int calls[FILTER_CALLS], count = 0;
    if (argc < 4) {
        return 2;
    }
    for (char *word = strtok(argv[2], ","); word && count < FILTER_CALLS;
         word = strtok(NULL, ",")) {
        calls[count++] = number_of(word);
    }
    int error = error_of(argv[1]);
    seccomp_filter_make(&filter, calls, count,
                        error ? SECCOMP_RET_ERRNO | (unsigned)error : SECCOMP_RET_ALLOW,
                        error ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS);
    char **command = argv + 3;
    while (*command && strcmp(*command, "--") != 0) {
        putenv(*command++);
    }
    if (!*command || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter.program) != 0) {
        return 2;
    }
    execv(command[1], command + 1);
    return 127;
}
