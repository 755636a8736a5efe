/* Whether the library can work in a unit, by what the unit runs and how it is confined. */
#include "service.h"

#include "check.h"
#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the library calls where the program itself wouldn't. */
static const char *const own_calls[] = {"ppoll", "clock_nanosleep", "epoll_pwait2", "prctl",
                                        "rt_sigprocmask"};
/* What else puts a filter before the program. None of these minds what the library calls. */
static const char *const filters[] = {
    "SystemCallArchitectures", "RestrictRealtime",   "RestrictSUIDSGID",
    "MemoryDenyWriteExecute",  "RestrictNamespaces", "RestrictAddressFamilies",
    "LockPersonality",         "PrivateDevices",     "ProtectKernelTunables",
    "ProtectKernelModules",    "ProtectKernelLogs",  "ProtectClock",
    "ProtectHostname"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

__attribute__((format(printf, 2, 3))) static void warn(const struct unit *unit, const char *format,
                                                       ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "hrtimeout: service: %s: ", unit->name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

/* The path in "{ path=/bin/sleep ; argv[]=... }". */
static char *program_of(const char *command)
{
    const char *path = strstr(command, "path=");
    const char *end = path ? strstr(path, " ; ") : NULL;
    return end ? text_of("%.*s", (int)(end - path - 5), path + 5) : NULL;
}

static enum verdict judge_program(const struct unit *unit, const char *program)
{
    struct checked checked = {0};
    if (access(program, X_OK) != 0) {
        warn(unit, "%s: %s", program, strerror(errno));
        return VERDICT_FAILED;
    }
    check_command(&checked, program);
    if (checked.reach == NOT_REACHED) {
        warn(unit, "%s can't be reached: %s", program, checked.why);
        return VERDICT_REFUSED;
    }
    return VERDICT_GOOD;
}

static enum verdict judge_programs(const struct unit *unit)
{
    const char *command = NULL;
    enum verdict worst = VERDICT_GOOD;
    if (*unit_value(unit, "RootDirectory") || *unit_value(unit, "RootImage")) {
        warn(unit, "it has a root of its own: the library must be there too, by the same path");
        return VERDICT_GOOD;
    }
    while ((command = unit_next(unit, "ExecStart", command))) {
        char *program = program_of(command);
        enum verdict verdict = program ? judge_program(unit, program) : VERDICT_GOOD;
        worst = verdict > worst ? verdict : worst;
    }
    return worst;
}

/* Environment files are read last, so theirs wins over the drop-in's. */
static enum verdict judge_environment_files(const struct unit *unit, const char *library)
{
    const char *entry = NULL;
    char line[4096];
    enum verdict verdict = VERDICT_GOOD;
    while ((entry = unit_next(unit, "EnvironmentFiles", entry))) {
        char *path = text_of("%.*s", (int)strcspn(entry, " "), entry);
        FILE *file = fopen(path, "re");
        while (file && fgets(line, sizeof(line), file)) {
            const char *word = line + strspn(line, " \t");
            if (strncmp(word, "LD_PRELOAD=", 11) == 0 && !strstr(word, "libhrtimeout.so")) {
                warn(unit, "%s sets LD_PRELOAD and wins over a drop-in: put %s first in it", path,
                     library);
                verdict = VERDICT_REFUSED;
            }
        }
        if (file) {
            fclose(file);
        }
    }
    const char *unset = unit_value(unit, "UnsetEnvironment");
    for (char *word; (word = unit_word(&unset));) {
        if (strcmp(word, "LD_PRELOAD") == 0) {
            warn(unit, "UnsetEnvironment= takes LD_PRELOAD away");
            verdict = VERDICT_REFUSED;
        }
    }
    return verdict;
}

static bool below(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/') {
        length--;
    }
    return strncmp(path, directory, length) == 0 &&
           (length == 1 || path[length] == '/' || path[length] == '\0');
}

/* Whether a list of paths has one that `path` lies in; the list's own prefixes don't matter. */
static bool listed(const struct unit *unit, const char *property, const char *path)
{
    const char *list = unit_value(unit, property);
    for (char *word; (word = unit_word(&list));) {
        word[strcspn(word, ":")] = '\0';
        if (below(path, word + strspn(word, "-+"))) {
            return true;
        }
    }
    return false;
}

/* What hides `path` from the unit; NULL: nothing. */
static const char *hidden_by(const struct unit *unit, const char *path)
{
    bool home = below(path, "/home") || below(path, "/root") || below(path, "/run/user");
    const char *protect = unit_value(unit, "ProtectHome");
    if (home && (strcmp(protect, "yes") == 0 || strcmp(protect, "tmpfs") == 0)) {
        return "ProtectHome=";
    }
    if (unit_has(unit, "PrivateTmp") && (below(path, "/tmp") || below(path, "/var/tmp"))) {
        return "PrivateTmp=";
    }
    return listed(unit, "InaccessiblePaths", path)     ? "InaccessiblePaths="
           : listed(unit, "TemporaryFileSystem", path) ? "TemporaryFileSystem="
           : listed(unit, "NoExecPaths", path) && !listed(unit, "ExecPaths", path) ? "NoExecPaths="
                                                                                   : NULL;
}

static enum verdict judge_paths(const struct unit *unit, const struct service_settings *settings)
{
    const char *what = hidden_by(unit, settings->library);
    if (what) {
        warn(unit, "%s keeps %s from it: install the library below /usr", what, settings->library);
        return VERDICT_REFUSED;
    }
    if (settings->stats) {
        const char *protect = unit_value(unit, "ProtectSystem");
        bool locked =
            strcmp(protect, "strict") == 0 && !listed(unit, "ReadWritePaths", settings->stats);
        what = locked ? "ProtectSystem=strict" : hidden_by(unit, settings->stats);
        if (what) {
            warn(unit, "%s keeps the statistics file from it: nothing will be counted", what);
        }
    }
    const char *as = unit_value(unit, "User");
    if (settings->stats && ((*as && strcmp(as, "root") != 0) || unit_has(unit, "DynamicUser"))) {
        warn(unit, "it doesn't run as root: its user must be able to write %s", settings->stats);
    }
    return VERDICT_GOOD;
}

/* Whether the unit's list of system calls lets this one through: a list with ~ is of forbidden
 * ones. */
static bool call_allowed(const char *list, const char *call)
{
    bool forbids = *list == '~', found = false;
    list += forbids;
    for (char *word; (word = unit_word(&list)); free(word)) {
        word[strcspn(word, ":")] = '\0';
        found |= strcmp(word, call) == 0;
    }
    return found != forbids;
}

static void judge_filter(const struct unit *unit, const struct service_settings *settings)
{
    const char *list = unit_value(unit, "SystemCallFilter"), *error;
    char *missing = NULL, *others = NULL;
    bool trusted = settings->sandbox && strcmp(settings->sandbox, "trust") == 0;
    list = strcmp(list, "~") == 0 ? "" : list; /* a list that forbids nothing: none was given */
    error = unit_value(unit, "SystemCallErrorNumber");
    bool kills = !*error || strcmp(error, "2147483646") == 0 || strcmp(error, "0") == 0;
    for (size_t i = 0; *list && i < COUNT(own_calls); i++) {
        if (!call_allowed(list, own_calls[i])) {
            missing = text_add(missing, own_calls[i]);
        }
    }
    for (size_t i = 0; i < COUNT(filters); i++) {
        if (unit_has(unit, filters[i])) {
            others = text_add(others, text_of("%s=", filters[i]));
        }
    }
    if (missing && kills && trusted) {
        warn(unit, "SystemCallFilter= kills at %s: --sandbox trust would be its end", missing);
    }
    if (trusted || (!*list && !others)) {
        return;
    }
    warn(unit,
         "a system call filter stands before it (%s): sleeps and select are helped, poll and "
         "epoll_wait stay native. %s",
         *list ? others ? text_of("SystemCallFilter=, %s", others) : "SystemCallFilter=" : others,
         missing && kills
             ? text_of("It kills at %s.", missing)
             : "--sandbox trust helps them too; not for a program that installs a filter itself.");
}

enum verdict service_judge(const struct unit *unit, const struct service_settings *settings)
{
    enum verdict program = judge_programs(unit);
    enum verdict files = judge_environment_files(unit, settings->library);
    enum verdict paths = judge_paths(unit, settings);
    enum verdict worst = program > files ? program : files;
    worst = paths > worst ? paths : worst;
    if (worst == VERDICT_GOOD) {
        judge_filter(unit, settings);
    }
    return worst;
}
