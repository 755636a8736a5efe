/* A file for node_exporter's textfile collector: written beside it, then put in its place. */
#include "command.h"
#include "slack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "hrtimeout.prom"

/*
 * The collector takes Prometheus' older text format, which has no "# UNIT" and "# EOF" and whose
 * counters are typed under their full name.
 */
static void put_as_text_format(FILE *from, FILE *to)
{
    char *line = NULL;
    size_t size = 0;
    char name[128], rest[1024];
    while (getline(&line, &size, from) > 0) {
        if (strncmp(line, "# UNIT ", 7) == 0 || strncmp(line, "# EOF", 5) == 0) {
            continue;
        }
        if (sscanf(line, "# TYPE %127s counter", name) == 1 && strstr(line, " counter\n")) {
            fprintf(to, "# TYPE %s_total counter\n", name);
        } else if (sscanf(line, "# HELP %127s %1023[^\n]", name, rest) == 2 &&
                   !strstr(name, "late_seconds")) {
            fprintf(to, "# HELP %s_total %s\n", name, rest);
        } else {
            fputs(line, to);
        }
    }
    free(line);
}

static bool write_to(FILE *to, struct slack_view *view)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) {
        return false;
    }
    slack_show(memory, RENDER_OPENMETRICS, view);
    bool good = fclose(memory) == 0;
    FILE *from = good ? fmemopen(text, size, "r") : NULL;
    if (from) {
        put_as_text_format(from, to);
        fclose(from);
    }
    free(text);
    return from && !ferror(to) && fchmod(fileno(to), 0644) == 0;
}

bool slack_textfile(const char *directory, struct slack_view *view)
{
    char path[4096], beside[4096 + 16];
    snprintf(path, sizeof(path), "%.4000s/" NAME, directory);
    snprintf(beside, sizeof(beside), "%s.XXXXXX", path);
    int fd = mkostemp(beside, O_CLOEXEC);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = to && write_to(to, view);
    good = to && fclose(to) == 0 && good && rename(beside, path) == 0;
    if (!good) {
        fail("slack: can't write %s: %s", path, strerror(errno));
        unlink(beside);
    }
    return good;
}
