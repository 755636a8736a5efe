/* What `systemctl show` says of a unit: lines of NAME=VALUE. */
#include "service.h"

#include "command.h"

#include <stdlib.h>
#include <string.h>

/* Each line becomes a string; an empty one ends the list. */
void unit_take(struct unit *unit, const char *text)
{
    size_t length = strlen(text);
    unit->text = calloc(1, length + 2);
    if (!unit->text) {
        exit(fail("out of memory"));
    }
    memcpy(unit->text, text, length);
    for (char *p = unit->text; (p = strchr(p, '\n')); p++) {
        *p = '\0';
    }
}

const char *unit_next(const struct unit *unit, const char *property, const char *at)
{
    size_t length = strlen(property);
    const char *line = at ? strchr(at, '\0') + 1 : unit->text;
    for (; *line; line = strchr(line, '\0') + 1) {
        if (strncmp(line, property, length) == 0 && line[length] == '=') {
            return line + length + 1;
        }
    }
    return NULL;
}

const char *unit_value(const struct unit *unit, const char *property)
{
    const char *value = unit_next(unit, property, NULL);
    return value ? value : "";
}

bool unit_has(const struct unit *unit, const char *property)
{
    const char *value = unit_value(unit, property);
    return *value && strcmp(value, "no") != 0 && strcmp(value, "~") != 0;
}

/* The byte that stands behind a backslash as in C. `*p` is left at the last of its characters. */
static char unescape(const char **p)
{
    static const char letters[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
    const char *letter = strchr(letters, **p);
    bool octal = strspn(*p, "01234567") >= 3;
    bool hexadecimal = **p == 'x' && strspn(*p + 1, "0123456789abcdefABCDEF") >= 2;
    if (letter) {
        return bytes[letter - letters];
    }
    if (octal || hexadecimal) {
        char digits[4] = "";
        memcpy(digits, octal ? *p : *p + 1, octal ? 3 : 2);
        *p += 2;
        return (char)strtoul(digits, NULL, octal ? 8 : 16);
    }
    return **p;
}

char *unit_word(const char **list)
{
    const char *p = *list + strspn(*list, " ");
    char *word = malloc(strlen(p) + 1), *to = word;
    bool quoted = false;
    if (!word || !*p) {
        free(word);
        return NULL;
    }
    for (; *p && (quoted || *p != ' '); p++) {
        if (*p == '"') {
            quoted = !quoted;
            continue;
        }
        if (*p == '\\' && p[1]) {
            p++;
            *to++ = unescape(&p);
            continue;
        }
        *to++ = *p;
    }
    *to = '\0';
    *list = p;
    return word;
}
