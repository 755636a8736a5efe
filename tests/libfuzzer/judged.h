/* The tables of check, without anything in them. */
#ifndef LIBFUZZER_JUDGED_H
#define LIBFUZZER_JUDGED_H

#include "check.h"
#include "input.h"

struct judged {
    struct grid checked, imports, threads;
    struct check_tables tables;
};

static inline void judged_begin(struct judged *j)
{
    static const struct render_column none[7];
    memset(j, 0, sizeof(*j));
    j->checked.table.columns = j->imports.table.columns = j->threads.table.columns = none;
    j->checked.table.column_count = 7;
    j->imports.table.column_count = 3;
    j->threads.table.column_count = 4;
    j->tables = (struct check_tables){&j->checked, &j->imports, &j->threads};
}

/* What holds of every answer: a row, unless it can't be told, that gives it in words. */
static inline void judged_holds(const struct judged *j, enum reach reach, bool named)
{
    static const char *const words[] = {"yes", "loaded", "no waits", "no", "unknown"};
    must(reach <= UNREADABLE);
    if (named && reach == UNREADABLE) {
        must(j->checked.table.row_count == 0);
        return;
    }
    must(j->checked.table.row_count == 1);
    const struct render_cell *cells = j->checked.rows[0].cells;
    must(cells[0].text && strcmp(cells[2].text, words[reach]) == 0);
    must(reach != NOT_REACHED || cells[6].text);
    must(reach == UNREADABLE || reach == LOADED ||
         (cells[5].text == NULL) == (j->imports.table.row_count == 0));
}

#endif
