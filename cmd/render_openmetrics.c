/* Tables as OpenMetrics text: a family for each kind of count, a histogram family for lateness. */
#include "render.h"

#include <string.h>

/* Buckets end at powers of two of ns, from 1 us to 17 s; the same in every row. */
#define FIRST_OCTAVE 10
#define LAST_OCTAVE  34

static void put_label(FILE *to, const char *name, const char *value)
{
    fprintf(to, "%s=\"", name);
    while (*value) {
        unsigned length = plain_length(value);
        if (*value == '\n') {
            fputs("\\n", to);
        } else if (*value == '"' || *value == '\\') {
            fprintf(to, "\\%c", *value);
        } else {
            fwrite(length ? value : "?", 1, length ? length : 1, to);
        }
        value += length ? length : 1;
    }
    fputc('"', to);
}

/* {call="poll",end="timeout"}; nothing at all when there is no label. */
static void put_labels(FILE *to, const struct render_table *t, const struct render_row *row,
                       const char *extra)
{
    char before = '{';
    for (size_t i = 0; i < t->column_count; i++) {
        if (t->columns[i].kind == RENDER_LABEL && row->cells[i].text) {
            fputc(before, to);
            put_label(to, t->columns[i].key, row->cells[i].text);
            before = ',';
        }
    }
    if (extra) {
        fprintf(to, "%c%s", before, extra);
        before = ',';
    }
    fputs(before == ',' ? "} " : " ", to);
}

static bool in_family(const struct render_column *c, const char *family)
{
    return c->family && strcmp(c->family, family) == 0;
}

/* ns as seconds, all digits kept: a double would do, but not as short decimals. */
static void put_seconds(FILE *to, uint64_t ns)
{
    fprintf(to, "%llu.%09llu", (unsigned long long)(ns / 1000000000),
            (unsigned long long)(ns % 1000000000));
}

static void put_family(FILE *to, const struct render_table *t, const struct render_column *first)
{
    const char *type = first->kind == RENDER_GAUGE ? "gauge" : "counter";
    fprintf(to, "# TYPE %s %s\n", first->family, type);
    if (first->kind == RENDER_NS) {
        fprintf(to, "# UNIT %s seconds\n", first->family);
    }
    fprintf(to, "# HELP %s %s\n", first->family, first->help);
    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t i = 0; i < t->column_count; i++) {
            const struct render_column *c = &t->columns[i];
            if (!in_family(c, first->family)) {
                continue;
            }
            fprintf(to, "%s%s", c->family, c->kind == RENDER_GAUGE ? "" : "_total");
            put_labels(to, t, &t->rows[r], c->extra);
            if (c->kind == RENDER_NS) {
                put_seconds(to, t->rows[r].cells[i].n);
            } else {
                fprintf(to, "%llu", (unsigned long long)t->rows[r].cells[i].n);
            }
            fputc('\n', to);
        }
    }
}

static void put_histogram(FILE *to, const struct render_table *t, const struct render_row *row)
{
    uint64_t below = 0;
    unsigned slot = 0;
    for (unsigned octave = FIRST_OCTAVE; octave <= LAST_OCTAVE; octave++) {
        char le[48];
        int64_t end = INT64_C(1) << octave;
        for (; slot < HIST_SLOTS && hist_floor(slot) < end; slot++) {
            below += row->late->slot[slot];
        }
        /* The largest whole ns below the power of two, as `le` includes its value. */
        snprintf(le, sizeof(le), "le=\"%lld.%09lld\"", (long long)((end - 1) / 1000000000),
                 (long long)((end - 1) % 1000000000));
        fprintf(to, "%s_bucket", t->late_family);
        put_labels(to, t, row, le);
        fprintf(to, "%llu\n", (unsigned long long)below);
    }
    uint64_t count = histogram_count(row->late);
    fprintf(to, "%s_bucket", t->late_family);
    put_labels(to, t, row, "le=\"+Inf\"");
    fprintf(to, "%llu\n%s_count", (unsigned long long)count, t->late_family);
    put_labels(to, t, row, NULL);
    fprintf(to, "%llu\n%s_sum", (unsigned long long)count, t->late_family);
    put_labels(to, t, row, NULL);
    put_seconds(to, row->late->sum_ns);
    fputc('\n', to);
}

static void put_table(FILE *to, const struct render_table *t)
{
    for (size_t i = 0; i < t->column_count; i++) {
        const struct render_column *c = &t->columns[i];
        size_t first = 0;
        while (c->family && !in_family(&t->columns[first], c->family)) {
            first++;
        }
        if (c->family && first == i) {
            put_family(to, t, c);
        }
    }
    if (!t->late_family) {
        return;
    }
    fprintf(to, "# TYPE %s histogram\n# UNIT %s seconds\n# HELP %s %s\n", t->late_family,
            t->late_family, t->late_family, t->late_help);
    for (size_t r = 0; r < t->row_count; r++) {
        if (t->rows[r].late) {
            put_histogram(to, t, &t->rows[r]);
        }
    }
}

void render_openmetrics(FILE *to, const struct render_table *tables, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (tables[i].row_count) {
            put_table(to, &tables[i]);
        }
    }
    fputs("# EOF\n", to);
}
