/* Whose waits to measure: a control group, or a command that is started here. */
#include "command.h"
#include "slack.h"

#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Where the unified hierarchy is mounted; a hybrid set-up has it beside the old ones. */
static const char *cgroup_root(void)
{
    static const char *const places[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    for (size_t i = 0; i < 2; i++) {
        struct statfs fs;
        if (statfs(places[i], &fs) == 0 && fs.f_type == CGROUP2_SUPER_MAGIC) {
            return places[i];
        }
    }
    return NULL;
}

/* Asks systemd; its answer is a path below the root. */
static bool cgroup_of_unit(const char *unit, const char *root, char *to, size_t size)
{
    char command[512], path[3072] = "";
    for (const char *c = unit; *c; c++) {
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@", *c)) {
            fail("slack: '%s' isn't the name of a unit", unit);
            return false;
        }
    }
    snprintf(command, sizeof(command),
             "systemctl show --property ControlGroup --value -- '%.200s' 2>/dev/null", unit);
    FILE *answer = popen(command, "r");
    if (answer && fgets(path, sizeof(path), answer)) {
        path[strcspn(path, "\n")] = '\0';
    }
    if (answer) {
        pclose(answer);
    }
    if (!path[0]) {
        fail("slack: systemd knows no running unit '%s'", unit);
        return false;
    }
    return (size_t)snprintf(to, size, "%s%s", root, path) < size;
}

bool slack_cgroup(const struct slack_options *o, uint64_t *id, int *depth)
{
    char found[4096], path[4096];
    struct stat st;
    struct statfs fs;
    const char *root = cgroup_root();
    if (!root) {
        fail("slack: no unified control group hierarchy (version 2) is mounted");
        return false;
    }
    if (o->unit && !cgroup_of_unit(o->unit, root, found, sizeof(found))) {
        return false;
    }
    const char *given = o->unit ? found : o->cgroup;
    if (!realpath(given, path) || stat(path, &st) != 0) {
        fail("slack: control group %s: %s", given, strerror(errno));
        return false;
    }
    if (statfs(path, &fs) != 0 || fs.f_type != CGROUP2_SUPER_MAGIC ||
        strncmp(path, root, strlen(root)) != 0) {
        fail("slack: %s isn't a control group below %s", given, root);
        return false;
    }
    *id = st.st_ino; /* of a control group directory on a 64-bit kernel that is its id */
    *depth = 0;
    for (const char *c = path + strlen(root); *c; c++) {
        *depth += *c == '/';
    }
    return true;
}

pid_t slack_spawn(char **command, int *go)
{
    int ends[2];
    if (pipe(ends) != 0) {
        fail("slack: %s", strerror(errno));
        return -1;
    }
    pid_t child = fork();
    if (child < 0) {
        fail("slack: can't start '%s': %s", command[0], strerror(errno));
        return -1;
    }
    if (child == 0) {
        char byte;
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 1) {
            _exit(EXIT_OURS); /* the probe couldn't be attached */
        }
        close(ends[0]);
        execvp(command[0], command);
        int error = errno;
        fail("can't run '%s': %s", command[0], strerror(error));
        _exit(error == ENOENT ? EXIT_MISSING : EXIT_NOT_EXEC);
    }
    close(ends[0]);
    *go = ends[1];
    return child;
}

void slack_let_go(int go)
{
    if (write(go, "", 1) != 1) {
        fail("slack: the command has gone");
    }
    close(go);
}
