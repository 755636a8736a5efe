#include "series.h"

#include <stdlib.h>
#include <unistd.h>

void series_add(struct series *s, int64_t value)
{
    if (s->count == s->room) {
        s->room = s->room ? s->room * 2 : 256;
        s->value = realloc(s->value, s->room * sizeof(*s->value));
        if (!s->value) {
            abort();
        }
    }
    s->value[s->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

void series_sort(struct series *s)
{
    if (s->count) {
        qsort(s->value, s->count, sizeof(*s->value), by_value);
    }
}

int64_t series_permille(const struct series *s, int p)
{
    return s->count ? s->value[(s->count - 1) * (size_t)p / 1000] : 0;
}

int64_t series_mean(const struct series *s)
{
    int64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) {
        sum += s->value[i];
    }
    return s->count ? sum / (int64_t)s->count : 0;
}

bool read_all(int fd, void *to, size_t size)
{
    char *p = to;
    while (size) {
        ssize_t n = read(fd, p, size);
        if (n <= 0) {
            return false;
        }
        p += n;
        size -= (size_t)n;
    }
    return true;
}

bool write_all(int fd, const void *from, size_t size)
{
    const char *p = from;
    while (size) {
        ssize_t n = write(fd, p, size);
        if (n <= 0) {
            return false;
        }
        p += n;
        size -= (size_t)n;
    }
    return true;
}
