/* Asks systemctl: the one program that speaks to every version of the manager. */
#include "service.h"

#include "command.h"
#include "grid.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define MOST_ARGUMENTS 16
#define SUFFIX         ".service"
/* What the manager takes in the name of a unit. */
#define UNIT_CHARS "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:-_.\\@"

/* Starts systemctl; what it prints goes to `out`, if that isn't -1. */
static pid_t start(bool user, const char *const *arguments, int out)
{
    const char *argv[MOST_ARGUMENTS] = {"systemctl"};
    size_t n = 1;
    pid_t pid;
    posix_spawn_file_actions_t actions;
    if (user) {
        argv[n++] = "--user";
    }
    while (*arguments && n < MOST_ARGUMENTS - 1) {
        argv[n++] = *arguments++;
    }
    posix_spawn_file_actions_init(&actions);
    if (out >= 0) {
        posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    }
    int error = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        fail("service: can't run systemctl: %s", strerror(error));
        return -1;
    }
    return pid;
}

static int finish(pid_t pid)
{
    int status;
    if (pid < 0) {
        return EXIT_MISSING;
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_OURS;
}

int systemctl_run(bool user, const char *const *arguments)
{
    return finish(start(user, arguments, -1));
}

/* All that systemctl prints; NULL when it fails, which it then has told about. */
static char *output_of(bool user, const char *const *arguments)
{
    int pair[2];
    char *text = NULL, line[4096];
    size_t length, size = 0;
    if (pipe2(pair, O_CLOEXEC) != 0) {
        fail("service: pipe: %s", strerror(errno));
        return NULL;
    }
    pid_t pid = start(user, arguments, pair[1]);
    close(pair[1]);
    FILE *from = fdopen(pair[0], "r"), *to = open_memstream(&text, &size);
    while (from && to && (length = fread(line, 1, sizeof(line), from)) > 0) {
        fwrite(line, 1, length, to);
    }
    if (from) {
        fclose(from);
    }
    if (to) {
        fclose(to);
    }
    return finish(pid) == 0 ? text : NULL;
}

/* The name with its suffix; NULL after a message when it can't be a service's. */
static char *full_name(const char *name)
{
    static const char *const others[] = {".socket", ".timer", ".mount", ".target", ".path",
                                         ".slice",  ".scope", ".swap",  ".device", ".automount"};
    size_t length = strlen(name);
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof(others) / sizeof(*others); i++) {
        if (strcmp(dot, others[i]) == 0) {
            fail("service: %s isn't a service", name);
            return NULL;
        }
    }
    if (!length || length > 200 || strspn(name, UNIT_CHARS) != length || *name == '-' ||
        *name == '.') {
        fail("service: '%s' isn't the name of a unit", name);
        return NULL;
    }
    return text_of("%s%s", name, dot && strcmp(dot, SUFFIX) == 0 ? "" : SUFFIX);
}

bool unit_ask(struct unit *unit, const char *name, bool user)
{
    unit->user = user;
    unit->name = full_name(name);
    if (!unit->name) {
        return false;
    }
    if (strstr(unit->name, "@" SUFFIX)) {
        fail("service: %s is a template: name an instance of it", unit->name);
        return false;
    }
    const char *const arguments[] = {"show", "--all", "--no-pager", "--", unit->name, NULL};
    char *text = output_of(user, arguments);
    if (!text) {
        fail("service: the %s manager can't be asked about %s", user ? "user's" : "system",
             unit->name);
        return false;
    }
    unit_take(unit, text);
    free(text);
    return true;
}

bool unit_read(struct unit *unit, const char *name, bool user)
{
    if (!unit_ask(unit, name, user)) {
        return false;
    }
    if (strcmp(unit_value(unit, "LoadState"), "loaded") != 0) {
        fail("service: %s: %s", unit->name, unit_value(unit, "LoadState"));
        return false;
    }
    return true;
}
