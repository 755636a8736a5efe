/*
 * What systemctl says of a unit, and the judgement that rests on it. Parts: its answer, an
 * environment file, words as a list that is printed here as the manager prints it.
 */
#include "check.h"
#include "input.h"
#include "service.h"
#include "world.h"

#include <stdio.h>

/* Against a reading of the answer as it came: lines up to the first empty one. */
static void properties(const struct unit *unit, const char *text)
{
    size_t length = strlen("ExecStart");
    const char *at = NULL;
    for (const char *line = text; *line && *line != '\n';) {
        const char *end = strchrnul(line, '\n');
        if (strncmp(line, "ExecStart=", length + 1) == 0) {
            at = unit_next(unit, "ExecStart", at);
            must(at && strlen(at) == (size_t)(end - line) - length - 1);
            must(memcmp(at, line + length + 1, strlen(at)) == 0);
        }
        line = end + (*end == '\n');
    }
    must(unit_next(unit, "ExecStart", at) == NULL || !at);
}

/* As systemd prints a word of a list: what needs it in quotes, control bytes as escapes. */
static void put_word(FILE *to, const char *word)
{
    bool quoted = !*word || strpbrk(word, " \t\n\r\"\\`$'*?[]()<>|&;!~#{}");
    fputs(quoted ? "\"" : "", to);
    for (const unsigned char *c = (const unsigned char *)word; *c; c++) {
        if (*c == '\n' || *c == '\t') {
            fputs(*c == '\n' ? "\\n" : "\\t", to);
        } else if (*c < ' ' || *c >= 0x7f) {
            fprintf(to, "\\%03o", *c);
        } else {
            fprintf(to, quoted && strchr("\"\\`$", *c) ? "\\%c" : "%c", *c);
        }
    }
    fputs(quoted ? "\"" : "", to);
}

static void words(struct input in)
{
    char *printed = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&printed, &size);
    must(to != NULL);
    for (struct input left = in; left.size;) {
        put_word(to, take_line(&left));
        fputs(left.size ? " " : "", to);
    }
    fclose(to);
    const char *list = printed;
    while (in.size) {
        char *word = take_line(&in), *found = unit_word(&list);
        must(found && strcmp(found, word) == 0);
    }
    must(!unit_word(&list));
    free(printed);
}

static void judge(const struct unit *unit)
{
    static const struct service_settings settings[] = {
        {.library = "/usr/lib/libhrtimeout.so"},
        {.library = "/home/a/libhrtimeout.so", .stats = "/run/a.stats"},
        {.library = "/tmp/libhrtimeout.so", .sandbox = "trust", .stats = "/tmp/a.stats"}};
    for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
        enum verdict verdict = service_judge(unit, &settings[i]);
        bool in_tmp = strncmp(settings[i].library, "/tmp/", 5) == 0;
        must(verdict <= VERDICT_FAILED);
        must(verdict == service_judge(unit, &settings[i]));
        must(!in_tmp || verdict != VERDICT_GOOD || *unit_value(unit, "PrivateTmp") != 'y');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct unit unit = {.name = "a.service"};
    struct input answer = take_part(&in), file = take_part(&in);
    world_put("/etc/default/a", file.data, file.size);
    world_put("/bin/sh", "#!/bin/sh\n", 10);
    world_begin();
    char *text = strndup((const char *)answer.data, answer.size);
    unit_take(&unit, text);
    properties(&unit, text);
    judge(&unit);
    properties(&unit, text);
    const char *list = unit_value(&unit, "Environment");
    for (const char *before = list; unit_word(&list); before = list) {
        must(list > before);
    }
    words(in);
    world_end();
    return 0;
}
