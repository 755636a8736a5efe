/* Tables as one JSON object: an array of objects a table. */
#include "render.h"

unsigned utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    uint32_t code = s[0] & (0xFFU >> (length + 1));
    if (length < 2 || s[0] > 0xF4) {
        return length == 1;
    }
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (s[i] & 0x3F);
    }
    bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < least[length] || code > 0x10FFFF || surrogate ? 0 : length;
}

void json_string(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', to);
    while (*s) {
        unsigned length = utf8_length((const char *)s);
        if (!length) {
            fputs("\\ufffd", to);
            s++;
        } else if (*s < ' ' || *s == 0x7f) {
            fprintf(to, "\\u%04x", *s++);
        } else {
            if (*s == '"' || *s == '\\') {
                fputc('\\', to);
            }
            s += fwrite(s, 1, length, to);
        }
    }
    fputc('"', to);
}

static void put_histogram(FILE *to, const struct histogram *h)
{
    const char *comma = "";
    fprintf(to,
            ", \"lateness\": {\"count\": %llu, \"sum_ns\": %llu, \"median_ns\": %llu, "
            "\"p90_ns\": %llu, \"p99_ns\": %llu, \"max_ns\": %llu, \"buckets\": [",
            (unsigned long long)histogram_count(h), (unsigned long long)h->sum_ns,
            (unsigned long long)histogram_quantile(h, 500),
            (unsigned long long)histogram_quantile(h, 900),
            (unsigned long long)histogram_quantile(h, 990), (unsigned long long)h->max_ns);
    for (unsigned i = 0; i < HIST_SLOTS; i++) {
        if (h->slot[i]) {
            fprintf(to, "%s{\"from_ns\": %lld, \"count\": %llu}", comma, (long long)hist_floor(i),
                    (unsigned long long)h->slot[i]);
            comma = ", ";
        }
    }
    fputs("]}", to);
}

static void put_row(FILE *to, const struct render_table *t, const struct render_row *row)
{
    fputc('{', to);
    for (size_t i = 0; i < t->column_count; i++) {
        const struct render_column *c = &t->columns[i];
        fputs(i ? ", " : "", to);
        json_string(to, c->key);
        fputs(": ", to);
        if (c->kind != RENDER_LABEL && c->kind != RENDER_SENTENCE) {
            fprintf(to, "%llu", (unsigned long long)row->cells[i].n);
        } else if (row->cells[i].text) {
            json_string(to, row->cells[i].text);
        } else {
            fputs("null", to);
        }
    }
    if (row->late) {
        put_histogram(to, row->late);
    }
    fputc('}', to);
}

void render_json(FILE *to, const struct render_table *tables, size_t count)
{
    fputc('{', to);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ",\n " : "", to);
        json_string(to, tables[i].key);
        fputs(": [", to);
        for (size_t r = 0; r < tables[i].row_count; r++) {
            fputs(r ? ",\n  " : "\n  ", to);
            put_row(to, &tables[i], &tables[i].rows[r]);
        }
        fputc(']', to);
    }
    fputs("}\n", to);
}
