#include "policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct policy policy;

struct word {
    const char *word;
    int value;
};

static const struct word modes[] = {
    {"observe", MODE_OBSERVE}, {"timer", MODE_TIMER}, {"exact", MODE_EXACT}, {NULL, 0}};
static const struct word eintrs[] = {{"return", false}, {"resume", true}, {NULL, 0}};
static const struct word writebacks[] = {
    {"libc", WRITEBACK_LIBC}, {"linux", WRITEBACK_LINUX}, {"none", WRITEBACK_NONE}, {NULL, 0}};
static const struct word clocks[] = {
    {"monotonic", CLOCK_MONOTONIC}, {"boottime", CLOCK_BOOTTIME}, {NULL, 0}};
static const struct word sandboxes[] = {
    {"auto", SANDBOX_AUTO}, {"trust", SANDBOX_TRUST}, {"same", SANDBOX_SAME}, {NULL, 0}};

static bool find_word(const struct word *words, const char *value, int *found)
{
    for (; words->word; words++) {
        if (strcmp(words->word, value) == 0) {
            *found = words->value;
            return true;
        }
    }
    return false;
}

/* Decimal digits only: strtol would take signs, blanks and what follows the number. */
static bool parse_number(const char *text, int64_t max, int64_t *value)
{
    int64_t n = 0;
    if (!*text) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        n = n * 10 + (*text - '0');
        if (n > max) {
            return false;
        }
    }
    *value = n;
    return true;
}

/* The kernel holds the slack in an unsigned long and takes 0 for "back to the default". */
static bool set_slack(struct policy *p, const char *value)
{
    int64_t n;
    if (strcmp(value, "keep") == 0) {
        p->slack = SLACK_KEEP;
        return true;
    }
    if (!parse_number(value, INT32_MAX, &n) || n < 1) {
        return false;
    }
    p->slack = n;
    return true;
}

static bool set_cpu(struct policy *p, const char *value)
{
    int64_t n;
    if (!parse_number(value, 100, &n) || n < 1) {
        return false;
    }
    p->cpu = (unsigned)n;
    return true;
}

static bool set_text(const char **to, const char *value)
{
    if (!*value) {
        return false;
    }
    *to = value;
    return true;
}

bool policy_set(struct policy *p, const char *name, const char *value)
{
    int n;
    if (strcmp(name, "MODE") == 0 && find_word(modes, value, &n)) {
        p->mode = (enum mode)n;
    } else if (strcmp(name, "EINTR") == 0 && find_word(eintrs, value, &n)) {
        p->resume = n != 0;
    } else if (strcmp(name, "WRITEBACK") == 0 && find_word(writebacks, value, &n)) {
        p->writeback = (enum writeback)n;
    } else if (strcmp(name, "CLOCK") == 0 && find_word(clocks, value, &n)) {
        p->clock = n;
    } else if (strcmp(name, "SANDBOX") == 0 && find_word(sandboxes, value, &n)) {
        p->sandbox = (enum sandbox_setting)n;
    } else if (strcmp(name, "SLACK") == 0) {
        return set_slack(p, value);
    } else if (strcmp(name, "CPU") == 0) {
        return set_cpu(p, value);
    } else if (strcmp(name, "STATS") == 0) {
        return set_text(&p->stats_path, value);
    } else if (strcmp(name, "ONLY") == 0) {
        return set_text(&p->only, value);
    } else if (strcmp(name, "SKIP") == 0) {
        return set_text(&p->skip, value);
    } else {
        return false;
    }
    return true;
}

static const struct setting {
    const char *name;
    const char *takes;
} settings[] = {
    {"MODE", "observe, timer or exact"},
    {"SLACK", "ns from 1 to 2147483647, or keep"},
    {"CPU", "a percentage from 1 to 100"},
    {"EINTR", "return or resume"},
    {"WRITEBACK", "libc, linux or none"},
    {"CLOCK", "monotonic or boottime"},
    {"STATS", "the path of a statistics file"},
    {"SANDBOX", "auto, trust or same"},
    {"ONLY", "program names, separated by commas"},
    {"SKIP", "program names, separated by commas"},
};

#define PREFIX        "HRTIMEOUT_"
#define PREFIX_LENGTH (sizeof(PREFIX) - 1)

const char *policy_takes(const char *name)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        if (strcmp(settings[i].name, name) == 0) {
            return settings[i].takes;
        }
    }
    return NULL;
}

bool policy_lists(const char *list, const char *program)
{
    const char *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;
    size_t length = strlen(name);
    while (length) {
        const char *comma = strchrnul(list, ',');
        if ((size_t)(comma - list) == length && memcmp(list, name, length) == 0) {
            return true;
        }
        if (!*comma) {
            break;
        }
        list = comma + 1;
    }
    return false;
}

/* By the path given to exec (a script's own name) or by argv[0] (what ps shows). */
static bool program_in(const char *list)
{
    const char *path = (const char *)getauxval(AT_EXECFN);
    return (path && policy_lists(list, path)) || policy_lists(list, program_invocation_short_name);
}

/* "NAME=value", without the prefix. A name that isn't one of ours is somebody else's. */
static void read_setting(struct policy *p, const char *setting)
{
    char name[16];
    const char *value = strchr(setting, '=');
    if (!value || (size_t)(value - setting) >= sizeof(name)) {
        return;
    }
    memcpy(name, setting, (size_t)(value - setting));
    name[value - setting] = '\0';
    if (policy_takes(name) && !policy_set(p, name, value + 1)) {
        p->errors++;
    }
}

void policy_read(struct policy *p)
{
    *p = (struct policy){
        .mode = MODE_TIMER, .clock = CLOCK_MONOTONIC, .slack = SLACK_DEFAULT, .cpu = 5};
    /* One walk, since every program that starts pays for it; none where secure_getenv() has none.
     */
    for (char **e = environ; e && *e && !getauxval(AT_SECURE); e++) {
        if (strncmp(*e, PREFIX, PREFIX_LENGTH) == 0) {
            read_setting(p, *e + PREFIX_LENGTH);
        }
    }
    if ((p->only && !program_in(p->only)) || (p->skip && program_in(p->skip))) {
        p->mode = MODE_OFF;
    }
}
