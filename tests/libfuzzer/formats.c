#include "formats.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"
#define NAME   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

static const char *blanks(const char *p)
{
    return p + strspn(p, " \n");
}

/* Each takes what it is named after off the front: the rest, or NULL when it isn't there. */
static const char *take_string(const char *p)
{
    if (*p++ != '"') {
        return NULL;
    }
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ') {
            return NULL;
        }
        if (*p == '\\') {
            p++;
            if (*p == 'u' && strspn(p + 1, DIGITS "abcdefABCDEF") >= 4) {
                p += 4;
            } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
                return NULL;
            }
        }
    }
    return p + 1;
}

static const char *take_value(const char *p);

static const char *take_list(const char *p, char end, bool named)
{
    p = blanks(p + 1);
    for (bool first = true; *p != end; first = false) {
        if (!first && *p++ != ',') {
            return NULL;
        }
        p = blanks(p);
        if (named) {
            p = take_string(p);
            if (!p || *p++ != ':') {
                return NULL;
            }
        }
        p = take_value(blanks(p));
        if (!p) {
            return NULL;
        }
        p = blanks(p);
    }
    return p + 1;
}

static const char *take_value(const char *p)
{
    size_t digits = strspn(p, DIGITS);
    return *p == '{'                     ? take_list(p, '}', true)
           : *p == '['                   ? take_list(p, ']', false)
           : *p == '"'                   ? take_string(p)
           : strncmp(p, "null", 4) == 0  ? p + 4
           : strncmp(p, "true", 4) == 0  ? p + 4
           : strncmp(p, "false", 5) == 0 ? p + 5
           : digits                      ? p + digits
                                         : NULL;
}

static bool is_utf8(const char *text)
{
    setlocale(LC_CTYPE, "C.UTF-8");
    return mbstowcs(NULL, text, 0) != (size_t)-1;
}

bool is_json(const char *text)
{
    const char *end = take_value(text);
    return end && strcmp(end, "\n") == 0 && is_utf8(text);
}

bool is_plain_text(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if ((*c < ' ' && *c != '\n') || *c == 0x7f || (*c == 0xC2 && c[1] < 0xA0)) {
            return false;
        }
    }
    return is_utf8(text);
}

static const char *take_labels(const char *p)
{
    do {
        size_t name = strspn(++p, NAME);
        if (!name || p[name] != '=' || p[name + 1] != '"') {
            return NULL;
        }
        for (p += name + 2; *p != '"'; p++) {
            if (!*p || *p == '\n' || (*p == '\\' && (!*++p || !strchr("\"\\n", *p)))) {
                return NULL;
            }
        }
        p++;
    } while (*p == ',');
    return *p == '}' ? p + 1 : NULL;
}

static const char *take_sample(const char *p)
{
    size_t name = strspn(p, NAME);
    p = name && p[name] == '{' ? take_labels(p + name) : name ? p + name : NULL;
    size_t number = p && *p == ' ' ? strspn(p + 1, DIGITS ".") : 0;
    return number && p[1 + number] == '\n' ? p + 1 + number + 1 : NULL;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether each series, which is a line without its number, is there once. */
static bool all_differ(const char *text)
{
    char *copy = strdup(text), *rest = copy, *line;
    char **series = malloc((strlen(text) + 1) * sizeof(*series));
    size_t count = 0, i = 1;
    while (copy && series && (line = strsep(&rest, "\n"))) {
        char *number = strrchr(line, ' ');
        if (number && *line != '#') {
            *number = '\0';
            series[count++] = line;
        }
    }
    qsort(series, count, sizeof(*series), by_text);
    while (i < count && strcmp(series[i - 1], series[i]) != 0) {
        i++;
    }
    free(series);
    free(copy);
    return i >= count;
}

bool is_metrics(const char *text)
{
    const char *p = text;
    while (p && *p) {
        const char *end = strchr(p, '\n');
        p = *p == '#' && end ? end + 1 : take_sample(p);
    }
    return p && is_utf8(text) && all_differ(text);
}
