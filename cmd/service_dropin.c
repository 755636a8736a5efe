/* The drop-in: what it says, and writing and removing it so that nothing else changes. */
#include "service.h"

#include "command.h"
#include "grid.h"
#include "launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KERNEL_SLACK 50000

char *dropin_directory(const char *unit, bool user)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (!user) {
        return text_of("/etc/systemd/system/%s.d", unit);
    }
    if (config && *config == '/') {
        return text_of("%s/systemd/user/%s.d", config, unit);
    }
    if (home && *home == '/') {
        return text_of("%s/.config/systemd/user/%s.d", home, unit);
    }
    fail("service: neither XDG_CONFIG_HOME nor HOME says where the user's units are");
    return NULL;
}

/* A line Environment="TEXT", so that the manager reads TEXT as it stands. */
static char *environment_line(const char *text)
{
    char *line = malloc(4 * strlen(text) + sizeof("Environment=\"\"\n")), *to = line;
    if (!line) {
        return NULL;
    }
    to = stpcpy(to, "Environment=\"");
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7f) {
            to += sprintf(to, "\\x%02x", *text); /* a newline would begin another setting */
            continue;
        }
        if (*text == '"' || *text == '\\') {
            *to++ = '\\';
        } else if (*text == '%') {
            *to++ = '%';
        }
        *to++ = *text;
    }
    stpcpy(to, "\"\n");
    return line;
}

/* What the unit preloads already. Asked again, it has our own in it: launch_preload drops that. */
static char *unit_preload(const struct unit *unit)
{
    const char *list = unit_value(unit, "Environment");
    char *word, *found = NULL;
    while ((word = unit_word(&list))) {
        if (strncmp(word, "LD_PRELOAD=", 11) == 0) {
            found = word + 11;
        }
    }
    return found;
}

/* Observe mode shows the machine as it is, and a slack that the unit chose is left to it. */
static char *slack_line(const struct unit *unit, const struct service_settings *settings)
{
    const char *slack = settings->slack;
    if (slack) {
        return strcmp(slack, "keep") == 0 ? "" : text_of("TimerSlackNSec=%sns\n", slack);
    }
    unsigned long long now = strtoull(unit_value(unit, "TimerSlackNSec"), NULL, 10);
    bool own = now != KERNEL_SLACK && now != 1;
    bool observe = settings->mode && strcmp(settings->mode, "observe") == 0;
    return own || observe ? "" : "TimerSlackNSec=1ns\n";
}

char *dropin_text(const struct unit *unit, const struct service_settings *settings)
{
    char *preload = launch_preload(settings->library, unit_preload(unit));
    char *text = text_of("[Service]\n%s%s", environment_line(text_of("LD_PRELOAD=%s", preload)),
                         slack_line(unit, settings));
    for (char **s = settings->list; *s; s++) {
        text = text_of("%s%s", text, environment_line(*s));
    }
    if (*settings->list) {
        return text; /* what a file says would win over the lines above */
    }
    return text_of("%sEnvironmentFile=-" SERVICE_DEFAULTS "\nEnvironmentFile=-" SERVICE_PROFILES
                   "/%.*s.conf\n",
                   text, (int)(strrchr(unit->name, '.') - unit->name), unit->name);
}

/* NULL when it can't be read. */
static char *read_file(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "re");
    if (!file) {
        return NULL;
    }
    ssize_t n = getdelim(&text, &size, '\0', file);
    fclose(file);
    return n < 0 ? text_of("%s", "") : text;
}

char *dropin_setting(const char *file, const char *name)
{
    char *text = read_file(file), *rest = text, *line;
    char *start = text_of("Environment=\"%s=", name);
    while (text && (line = strsep(&rest, "\n"))) {
        if (strncmp(line, start, strlen(start)) == 0) {
            line += strlen(start);
            line[strcspn(line, "\"")] = '\0';
            return line;
        }
    }
    return NULL;
}

/* Written beside it and renamed, so that the manager never reads half of it. */
static int write_file(const char *path, const char *text)
{
    char *beside = text_of("%s.new", path);
    FILE *file = fopen(beside, "we");
    bool good = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    good = file && fclose(file) == 0 && good;
    if (!good || chmod(beside, 0644) != 0 || rename(beside, path) != 0) {
        int error = errno;
        unlink(beside);
        return fail("service: can't write %s: %s", path, strerror(error));
    }
    return 0;
}

/* A user may not have ~/.config/systemd/user yet. Only the last step may be ours to remove. */
static int make_directory(char *path, bool *made)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0755) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed) {
            break;
        }
    }
    *made = mkdir(path, 0755) == 0;
    return *made || errno == EEXIST ? 0 : fail("service: can't make %s: %s", path, strerror(errno));
}

int dropin_write(const char *directory, const char *text, bool dry)
{
    bool made = access(directory, F_OK) != 0;
    char *path = text_of("%s/" SERVICE_DROPIN, directory), *old = read_file(path);
    if (old && strncmp(old, SERVICE_MARK, strlen(SERVICE_MARK)) != 0) {
        return fail("service: %s isn't hrtimeout's; left alone", path);
    }
    made |= old && strstr(old, SERVICE_MADE) != NULL;
    if (dry) {
        printf("mkdir -p '%s'\ncat >'%s' <<'EOF'\n" SERVICE_MARK "\n%s%sEOF\n", directory, path,
               made ? SERVICE_MADE "\n" : "", text);
        return 0;
    }
    bool now = false;
    char *copy = text_of("%s", directory);
    int failed = make_directory(copy, &now);
    if (failed) {
        return failed;
    }
    failed = write_file(path,
                        text_of(SERVICE_MARK "\n%s%s", made || now ? SERVICE_MADE "\n" : "", text));
    if (failed && now) {
        rmdir(directory);
    }
    return failed;
}

int dropin_remove(const char *directory, bool dry, bool *removed)
{
    char *path = text_of("%s/" SERVICE_DROPIN, directory), *old = read_file(path);
    *removed = old != NULL;
    if (!old) {
        return errno == ENOENT || errno == ENOTDIR
                   ? 0
                   : fail("service: can't read %s: %s", path, strerror(errno));
    }
    if (strncmp(old, SERVICE_MARK, strlen(SERVICE_MARK)) != 0) {
        return fail("service: %s isn't hrtimeout's; left alone", path);
    }
    bool made = strstr(old, SERVICE_MADE) != NULL;
    if (dry) {
        printf("rm '%s'\n", path);
        if (made) {
            printf("rmdir --ignore-fail-on-non-empty '%s'\n", directory);
        }
        return 0;
    }
    if (unlink(path) != 0) {
        return fail("service: can't remove %s: %s", path, strerror(errno));
    }
    if (made) {
        rmdir(directory); /* others may have put something there since */
    }
    return 0;
}
