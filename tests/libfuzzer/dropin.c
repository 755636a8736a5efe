/*
 * The drop-in of a unit: one that is there is changed and removed only if it is ours, and what is
 * written says to the manager what was meant. Parts: the file that is there, settings as lines.
 */
#include "grid.h"
#include "input.h"
#include "service.h"
#include "world.h"

#include <ctype.h>
#include <stdio.h>

#define DIRECTORY "/etc/systemd/system/a.service.d"
#define DROPIN    DIRECTORY "/" SERVICE_DROPIN
#define MOST      16

/* The value of one Environment= line as the manager reads it: quotes, escapes and specifiers. */
static char *manager_reads(const char *line)
{
    static const char prefix[] = "Environment=\"";
    char *value = malloc(strlen(line) + 1), *to = value;
    must(value && strncmp(line, prefix, strlen(prefix)) == 0);
    const char *p = line + strlen(prefix);
    for (; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1] == 'x') {
            *to++ = (char)strtoul(strndup(p + 2, 2), NULL, 16);
            p += 3;
        } else if (*p == '\\') {
            *to++ = *++p == 'n' ? '\n' : *p == 't' ? '\t' : *p;
        } else if (*p == '%') {
            must(*++p == '%');
            *to++ = '%';
        } else {
            must((unsigned char)*p >= ' ');
            *to++ = *p;
        }
    }
    must(strcmp(p, "\"") == 0);
    *to = '\0';
    return value;
}

/* The settings are there, each in a line of its own, in their order. */
static void says(char *text, char **settings, const char *library)
{
    must(strcmp(strsep(&text, "\n"), "[Service]") == 0);
    char *preload = manager_reads(strsep(&text, "\n"));
    must(strncmp(preload, "LD_PRELOAD=", 11) == 0);
    must(strncmp(preload + 11, library, strlen(library)) == 0);
    must(strcmp(strsep(&text, "\n"), "TimerSlackNSec=1ns") == 0);
    for (; *settings; settings++) {
        must(strcmp(manager_reads(strsep(&text, "\n")), *settings) == 0);
    }
}

static bool is_ours(const char *old)
{
    return strncmp(old, SERVICE_MARK, strlen(SERVICE_MARK)) == 0;
}

static void change(struct input old, const char *text)
{
    size_t size = 0;
    char *before = text_of("%.*s", (int)old.size, (const char *)old.data);
    bool removed = false;
    world_put(DROPIN, before, strlen(before));
    int code = dropin_write(DIRECTORY, text, false);
    must((code == 0) == is_ours(before));
    char *now = world_get(DROPIN, &size);
    must(now && (code ? strcmp(now, before) == 0 : is_ours(now) && strstr(now, text)));
    must(code || !strstr(before, SERVICE_MADE) || strstr(now, SERVICE_MADE));
    code = dropin_remove(DIRECTORY, false, &removed);
    must(removed && (code == 0) == is_ours(before));
    free(now);
    now = world_get(DROPIN, &size);
    must(!now == !code);
    free(now);
    must(dropin_write(DIRECTORY, text, true) == code);
    world_drop(DROPIN);
}

/* Values without anything special come back as they are. */
static void asks(char **settings)
{
    for (char **s = settings; *s; s++) {
        size_t name = strcspn(*s, "=");
        bool plain = (*s)[name] && !strpbrk(*s, "\\\"%\n");
        for (char **other = settings; other < s; other++) {
            plain &= strncmp(*other, *s, name + 1) != 0;
        }
        for (const char *c = *s; *c; c++) {
            plain &= *c >= ' ' && *c < 0x7f;
        }
        if (plain && strncmp(*s, "LD_PRELOAD=", 11) != 0) {
            const char *found = dropin_setting(DROPIN, text_of("%.*s", (int)name, *s));
            must(found && strcmp(found, *s + name + 1) == 0);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct unit unit = {.name = "a.service"};
    char *settings[MOST + 1] = {0};
    struct service_settings wanted = {.list = settings, .library = "/usr/lib/libhrtimeout.so"};
    struct input old = take_part(&in), preload = take_part(&in);
    world_begin();
    unit_take(&unit, text_of("TimerSlackNSec=50000\nEnvironment=%.*s\n",
                             (int)strnlen((const char *)preload.data, preload.size),
                             (const char *)preload.data));
    for (size_t i = 0; in.size && i < MOST; i++) {
        settings[i] = take_line(&in);
        for (char *c = settings[i]; *c; c++) {
            *c = *c == '\x01' ? '\n' : *c; /* lines end at newlines, values may have some */
        }
    }
    char *text = dropin_text(&unit, &wanted);
    change(old, text);
    must(dropin_write(DIRECTORY, text, false) == 0);
    asks(settings);
    says(text, settings, wanted.library);
    world_drop(DROPIN);
    world_end();
    return 0;
}
