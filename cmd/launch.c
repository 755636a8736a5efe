#include "launch.h"

#include "command.h"
#include "grid.h"
#include "policy.h"
#include "stats_map.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define LIBRARY "libhrtimeout.so"

#ifndef LIBDIR /* where `make install` puts the library, with $LIB for either width */
#define LIBDIR "/usr/local/$LIB"
#endif

/* mode -> HRTIMEOUT_MODE */
static void variable_of(const char *name, char *to, size_t size)
{
    int length = snprintf(to, size, "HRTIMEOUT_%s", name);
    for (int i = 0; i < length; i++) {
        to[i] = (char)toupper((unsigned char)to[i]);
    }
}

/* For children that have changed their directory by the time they start others. */
static const char *absolute(const char *path)
{
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    const char *whole = here ? text_of("%s/%s", here, path) : path;
    free(here);
    return whole;
}

bool launch_set(struct launch *launch, const char *name, const char *value)
{
    char variable[32];
    struct policy scratch = {0};
    variable_of(name, variable, sizeof(variable));
    const char *bare = variable + strlen("HRTIMEOUT_");
    if (!policy_set(&scratch, bare, value)) {
        fail("--%s takes %s, not '%s'", name, policy_takes(bare), value);
        return false;
    }
    if (strcmp(name, "slack") == 0) {
        launch->slack = value;
    } else if (strcmp(name, "mode") == 0) {
        launch->mode = value;
    } else if (strcmp(name, "stats") == 0) {
        value = launch->stats = absolute(value);
    }
    if (setenv(variable, value, 1) != 0) {
        fail("can't set %s: %s", variable, strerror(errno));
        return false;
    }
    return true;
}

/* The directory of this executable, for a command that runs from its build directory. */
static bool own_directory(char *to, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", to, size - 1);
    if (n <= 0) {
        return false;
    }
    to[n] = '\0';
    char *slash = strrchr(to, '/');
    if (!slash) {
        return false;
    }
    *slash = '\0';
    return true;
}

/* HRTIMEOUT_LIBRARY; else beside the command; else where it was installed. False: nowhere. */
bool launch_library(char *to, size_t size)
{
    char directory[PATH_MAX];
    const char *given = getenv("HRTIMEOUT_LIBRARY");
    if (given && *given) {
        return (size_t)snprintf(to, size, "%s", given) < size;
    }
    if (own_directory(directory, sizeof(directory)) &&
        (size_t)snprintf(to, size, "%s/" LIBRARY, directory) < size && access(to, R_OK) == 0) {
        return true;
    }
    return (size_t)snprintf(to, size, LIBDIR "/" LIBRARY) < size;
}

/* Whether an entry of LD_PRELOAD is this library, wherever it lies. */
static bool is_ours(const char *entry, size_t length)
{
    size_t own = strlen(LIBRARY);
    return length >= own && memcmp(entry + length - own, LIBRARY, own) == 0 &&
           (length == own || entry[length - own - 1] == '/');
}

/* Ours first, the others kept in their order, never twice. The loader takes colons and spaces. */
char *launch_preload(const char *library, const char *old)
{
    char *value = text_of("%s", library);
    while (old && *old) {
        size_t length = strcspn(old, ": ");
        if (length && !is_ours(old, length)) {
            char *longer = text_of("%s:%.*s", value, (int)length, old);
            free(value);
            value = longer;
        }
        old += length + (old[length] != '\0');
    }
    return value;
}

static int set_preload(const char *library)
{
    char *value = launch_preload(library, getenv("LD_PRELOAD"));
    int failed = setenv("LD_PRELOAD", value, 1) != 0;
    free(value);
    return failed ? fail("can't set LD_PRELOAD: %s", strerror(errno)) : 0;
}

/*
 * The slack is set here as well as by the library, which may not ask for it under a system call
 * filter that kills. It is inherited over exec. Observe mode shows the machine as it is.
 */
static void set_slack(const struct launch *launch)
{
    bool observe = launch->mode && strcmp(launch->mode, "observe") == 0;
    if (!launch->slack && (observe || prctl(PR_GET_TIMERSLACK) != 50000)) {
        return;
    }
    if (launch->slack && strcmp(launch->slack, "keep") == 0) {
        return;
    }
    prctl(PR_SET_TIMERSLACK, launch->slack ? strtoul(launch->slack, NULL, 10) : 1UL, 0, 0, 0);
}

/* What the library would only count, the command refuses, whoever set it. */
static bool environment_is_right(void)
{
    static const char *const names[] = {"MODE",  "SLACK", "CPU",     "EINTR", "WRITEBACK",
                                        "CLOCK", "STATS", "SANDBOX", "ONLY",  "SKIP"};
    struct policy scratch = {0};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char *variable = text_of("HRTIMEOUT_%s", names[i]);
        const char *value = getenv(variable);
        if (value && !policy_set(&scratch, names[i], value)) {
            fail("%s takes %s, not '%s'", variable, policy_takes(names[i]), value);
            return false;
        }
        free(variable);
    }
    return true;
}

int launch_check(char *library, size_t size)
{
    if (!environment_is_right()) {
        return EXIT_OURS;
    }
    if (!launch_library(library, size)) {
        return fail("the path of " LIBRARY " is too long");
    }
    if (!strstr(library, "$LIB") && access(library, R_OK) != 0) {
        return fail(
            "can't read %s: %s; install hrtimeout, or name the library in HRTIMEOUT_LIBRARY",
            library, strerror(errno));
    }
    if (strpbrk(library, ": ")) {
        return fail("the loader can't take a path with a colon or space: %s", library);
    }
    return 0;
}

int launch_prepare(const struct launch *launch)
{
    char library[PATH_MAX];
    int code = launch_check(library, sizeof(library));
    if (code) {
        return code;
    }
    if (launch->stats && !stats_map_create(launch->stats)) {
        return EXIT_OURS;
    }
    set_slack(launch);
    return launch->bare ? 0 : set_preload(library);
}

int launch_exec(const struct launch *launch)
{
    int failed = launch_prepare(launch);
    if (failed) {
        return failed;
    }
    execvp(launch->command[0], launch->command);
    int error = errno;
    fail("can't run '%s': %s", launch->command[0], strerror(error));
    return error == ENOENT ? EXIT_MISSING : EXIT_NOT_EXEC;
}
