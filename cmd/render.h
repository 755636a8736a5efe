/*
 * One renderer for whatever is counted, by the library or by the probe: tables whose rows may carry
 * a histogram, shown as text for people, JSON or OpenMetrics.
 */
#ifndef HRTIMEOUT_RENDER_H
#define HRTIMEOUT_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HRTIMEOUT_STATS_READER
#include "stats.h"

struct histogram {
    const uint64_t *slot; /* HIST_SLOTS counts, laid out as in stats.h */
    uint64_t sum_ns;
    uint64_t max_ns;
};

enum render_kind {
    RENDER_LABEL,    /* text that tells rows apart: an OpenMetrics label */
    RENDER_COUNT,    /* a number that only grows */
    RENDER_NS,       /* ns that only grow: seconds in OpenMetrics */
    RENDER_GAUGE,    /* a number that may fall */
    RENDER_SENTENCE, /* text for people: as text, a row is this sentence and nothing else */
};

struct render_column {
    const char *key;   /* JSON key, or name of the OpenMetrics label */
    const char *title; /* text heading */
    enum render_kind kind;
    bool always;        /* text: shown even if every row has 0 or no text */
    const char *family; /* OpenMetrics family without _total; NULL: not shown there */
    const char *help;   /* its HELP; columns of one family need it once, in the first */
    const char *extra;  /* one more label for this column, as end="timeout"; may be NULL */
};

struct render_cell {
    const char *text; /* labels and sentences; NULL is shown as "-" */
    uint64_t n;       /* counts, gauges, ns */
};

struct render_row {
    const struct render_cell *cells; /* one a column */
    const struct histogram *late;    /* may be NULL */
};

struct render_table {
    const char *key;   /* JSON key */
    const char *title; /* text heading, may be NULL */
    const struct render_column *columns;
    size_t column_count;
    const struct render_row *rows;
    size_t row_count;
    const char *late_family; /* OpenMetrics family of the histograms, ends in _seconds */
    const char *late_help;
};

enum render_format { RENDER_TABLE, RENDER_JSON, RENDER_OPENMETRICS };

/* "table", "json" or "openmetrics". False: none of these. */
bool render_format_of(const char *name, enum render_format *format);

/* Writes all tables as one document. */
void render(FILE *to, enum render_format format, const struct render_table *tables, size_t count);

/* The parts, for a caller that lays out its own text. */
void render_text(FILE *to, const struct render_table *table);
uint64_t histogram_count(const struct histogram *h);
/* The lateness that `permille` of the samples don't exceed, right within 12 %. 0 when empty. */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille);
/* One line a class of lateness, with bars; nothing when empty. */
void histogram_print(FILE *to, const struct histogram *h);
/* "52.1 us"; `to` is returned. */
#define NS_TEXT 24
const char *ns_text(uint64_t ns, char to[static NS_TEXT]);
/* A string with its quotes; bytes that aren't UTF-8 become U+FFFD. */
void json_string(FILE *to, const char *text);
/* The length of the UTF-8 sequence at `text`, 0 when it isn't one. */
unsigned utf8_length(const char *text);
/* The same, and 0 for control characters. */
unsigned plain_length(const char *text);
/* For a terminal: what isn't plain becomes '?', byte by byte. Returns the columns taken. */
size_t put_plain(FILE *to, const char *text);

/* Used by render() only. */
void render_json(FILE *to, const struct render_table *tables, size_t count);
void render_openmetrics(FILE *to, const struct render_table *tables, size_t count);

#endif
