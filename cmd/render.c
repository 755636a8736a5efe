/* Tables as text, and which of the formats is asked for. */
#include "render.h"

#include <string.h>

/* A row with a histogram gets these after its own columns. */
static const struct {
    const char *title;
    unsigned permille;
} late_columns[] = {{"median", 500}, {"90th", 900}, {"99th", 990}, {"max", 1000}};
#define LATE_COLUMNS (sizeof(late_columns) / sizeof(*late_columns))

unsigned plain_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    bool control = *s < ' ' || *s == 0x7f || (*s == 0xC2 && s[1] < 0xA0);
    return control ? 0 : utf8_length(text);
}

/* How many terminal columns a text takes as put_plain() puts it. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (unsigned length; *text; text += length ? length : 1, width++) {
        length = plain_length(text);
    }
    return width;
}

size_t put_plain(FILE *to, const char *text)
{
    for (const char *c = text; *c;) {
        unsigned length = plain_length(c);
        fwrite(length ? c : "?", 1, length ? length : 1, to);
        c += length ? length : 1;
    }
    return width_of(text);
}

static bool any_late(const struct render_table *t)
{
    for (size_t r = 0; r < t->row_count; r++) {
        if (t->rows[r].late && histogram_count(t->rows[r].late)) {
            return true;
        }
    }
    return false;
}

static bool is_text(enum render_kind kind)
{
    return kind == RENDER_LABEL || kind == RENDER_SENTENCE;
}

/* A column that is empty or 0 all the way down is left out. */
static bool is_shown(const struct render_table *t, size_t column)
{
    const struct render_column *c = &t->columns[column];
    bool shown = c->always;
    for (size_t r = 0; r < t->row_count && !shown; r++) {
        const struct render_cell *cell = &t->rows[r].cells[column];
        shown = is_text(c->kind) ? cell->text != NULL : cell->n != 0;
    }
    return shown;
}

static const char *cell_text(const struct render_table *t, const struct render_row *row, size_t i,
                             char buffer[static NS_TEXT])
{
    if (i >= t->column_count) {
        const struct histogram *late = row->late;
        unsigned permille = late_columns[i - t->column_count].permille;
        if (!late || !histogram_count(late)) {
            return "-";
        }
        return ns_text(permille == 1000 ? late->max_ns : histogram_quantile(late, permille),
                       buffer);
    }
    const struct render_cell *cell = &row->cells[i];
    if (is_text(t->columns[i].kind)) {
        return cell->text ? cell->text : "-";
    }
    if (t->columns[i].kind == RENDER_NS) {
        return ns_text(cell->n, buffer);
    }
    snprintf(buffer, NS_TEXT, "%llu", (unsigned long long)cell->n);
    return buffer;
}

static const char *heading(const struct render_table *t, size_t i)
{
    return i < t->column_count ? t->columns[i].title : late_columns[i - t->column_count].title;
}

static void put_cell(FILE *to, const struct render_table *t, size_t i, const char *text,
                     size_t width, bool last)
{
    size_t pad = width - width_of(text);
    bool left = i < t->column_count && is_text(t->columns[i].kind);
    fprintf(to, "%s%*s", i ? "  " : "", left ? 0 : (int)pad, "");
    put_plain(to, text);
    fprintf(to, "%*s", left && !last ? (int)pad : 0, "");
}

static void put_columns(FILE *to, const struct render_table *t)
{
    char buffer[NS_TEXT];
    size_t total = t->column_count + (any_late(t) ? LATE_COLUMNS : 0);
    size_t widths[t->column_count + LATE_COLUMNS], last = 0; /* width 0: not shown */
    for (size_t i = 0; i < total; i++) {
        widths[i] = 0;
        if (i < t->column_count && !is_shown(t, i)) {
            continue;
        }
        last = i;
        widths[i] = width_of(heading(t, i));
        for (size_t r = 0; r < t->row_count; r++) {
            size_t width = width_of(cell_text(t, &t->rows[r], i, buffer));
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
    for (size_t r = 0; r <= t->row_count; r++) {
        for (size_t i = 0; i < total; i++) {
            if (widths[i]) {
                put_cell(to, t, i, r ? cell_text(t, &t->rows[r - 1], i, buffer) : heading(t, i),
                         widths[i], i == last);
            }
        }
        fputc('\n', to);
    }
}

/* Which column holds the sentence; column_count when none does. */
static size_t sentence_of(const struct render_table *t)
{
    size_t i = 0;
    while (i < t->column_count && t->columns[i].kind != RENDER_SENTENCE) {
        i++;
    }
    return i;
}

static void put_histograms(FILE *to, const struct render_table *t)
{
    for (size_t r = 0; r < t->row_count; r++) {
        const struct render_row *row = &t->rows[r];
        if (!row->late || !histogram_count(row->late)) {
            continue;
        }
        fputs("\nlateness", to);
        for (size_t i = 0; i < t->column_count; i++) {
            if (t->columns[i].kind == RENDER_LABEL && row->cells[i].text) {
                fputs(i ? " " : " of ", to);
                put_plain(to, row->cells[i].text);
            }
        }
        fputc('\n', to);
        histogram_print(to, row->late);
    }
}

void render_text(FILE *to, const struct render_table *t)
{
    size_t sentence = sentence_of(t);
    if (!t->row_count) {
        return;
    }
    if (t->title) {
        fprintf(to, "%s\n", t->title);
    }
    if (sentence == t->column_count) {
        put_columns(to, t);
    } else {
        for (size_t r = 0; r < t->row_count; r++) {
            const char *text = t->rows[r].cells[sentence].text;
            put_plain(to, text ? text : "-");
            fputc('\n', to);
        }
    }
    put_histograms(to, t);
}

bool render_format_of(const char *name, enum render_format *format)
{
    static const char *const names[] = {"table", "json", "openmetrics"};
    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
        if (strcmp(name, names[i]) == 0) {
            *format = (enum render_format)i;
            return true;
        }
    }
    return false;
}

void render(FILE *to, enum render_format format, const struct render_table *tables, size_t count)
{
    if (format == RENDER_JSON) {
        render_json(to, tables, count);
        return;
    }
    if (format == RENDER_OPENMETRICS) {
        render_openmetrics(to, tables, count);
        return;
    }
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (tables[i].row_count) {
            fputs(first ? "" : "\n", to);
            render_text(to, &tables[i]);
            first = false;
        }
    }
}
