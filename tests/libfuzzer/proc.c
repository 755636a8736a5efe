/*
 * What /proc says, against a second reading by other means. First byte: which file; then a line,
 * what is looked for in it; then the file.
 */
#include "proc.h"
#include "input.h"
#include "world.h"

#define PID 4242

/* The number behind FIELD: in the first line that begins so. */
static void status(const char *field, const char *text)
{
    long found = proc_status_number(PID, field), want = -1;
    size_t length = strlen(field);
    for (const char *line = text, *end; line; line = end ? end + 1 : NULL) {
        end = strchr(line, '\n');
        if (strncmp(line, field, length) == 0 && line[length] == ':') {
            size_t rest = strcspn(line + length + 1, "\n");
            want = strtol(strndup(line + length + 1, rest), NULL, 10);
            break;
        }
    }
    must(found == want || want < 0); /* no field is negative */
}

static void stat_line(const char *text)
{
    unsigned long long started = proc_start_time(PID), n[22] = {0};
    const char *at = strrchr(text, ')');
    char *end;
    proc_is_kernel_thread(PID);
    if (strlen(text) >= 1000 || !at || at[1] != ' ' || at[2] < 'A' || at[3] != ' ') {
        return; /* nothing that a kernel writes */
    }
    end = (char *)at + 3;
    for (size_t i = 4; i <= 22; i++) {
        if (*end != ' ' || end[1] < '0' || end[1] > '9') {
            return;
        }
        n[i - 1] = strtoull(end, &end, 10);
    }
    must(started == n[21]);
    must(proc_is_kernel_thread(PID) == ((n[8] & 0x00200000) != 0));
}

static void thread_name(void)
{
    const char *name = proc_thread_name(PID, PID);
    must(*name && strlen(name) < 64 && !strchr(name, '\n'));
}

static void environment(const char *name, const char *bytes, size_t size)
{
    const char *found = proc_started_with(PID, name), *want = NULL;
    size_t length = strlen(name);
    for (size_t at = 0; at < size && !want; at += strlen(bytes + at) + 1) {
        if (strncmp(bytes + at, name, length) == 0 && bytes[at + length] == '=') {
            want = bytes + at + length + 1;
        }
    }
    must(!found == !want && (!found || strcmp(found, want) == 0));
}

/* A group's processes are in those above it too. */
static void group(const char *name, const char *text)
{
    char above[4096];
    bool inside = proc_in_group(PID, name);
    const char *slash = strrchr(name, '/');
    must(!inside || strstr(text, name));
    if (inside && slash && slash != name && strlen(name) < sizeof(above)) {
        memcpy(above, name, (size_t)(slash - name));
        above[slash - name] = '\0';
        must(proc_in_group(PID, above));
    }
}

static void slack(const char *text)
{
    uint64_t ns = 7;
    int error = proc_slack_read(PID, &ns);
    must(*text ? error == 0 && ns == strtoull(strndup(text, 31), NULL, 10) : ns == 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"status",  "stat",   "task/4242/comm",
                                        "environ", "cgroup", "timerslack_ns"};
    struct input in = {data, size};
    unsigned which = take_byte(&in) % 6;
    char path[64];
    snprintf(path, sizeof(path), "/proc/4242/%s", names[which]);
    world_begin();
    char *wanted = take_line(&in), *text = strndup((const char *)in.data, in.size);
    char *bytes = malloc(in.size + 1);
    must(bytes && text);
    memcpy(bytes, in.data, in.size);
    bytes[in.size] = '\0';
    world_put(path, bytes, which == 3 ? in.size : strlen(text));
    switch (which) {
    case 0:
        status(wanted, text);
        break;
    case 1:
        stat_line(text);
        break;
    case 2:
        thread_name();
        break;
    case 3:
        environment(wanted, bytes, in.size);
        break;
    case 4:
        group(wanted, text);
        break;
    default:
        slack(text);
    }
    world_end();
    return 0;
}
