/* Tables whose rows aren't known beforehand. What is built here lives as long as the command. */
#ifndef HRTIMEOUT_GRID_H
#define HRTIMEOUT_GRID_H

#include "render.h"

struct grid {
    struct render_table table;
    struct render_row *rows;
    size_t room;
};

/* A new row with empty cells, one a column of the table. */
struct render_cell *grid_row(struct grid *grid);

/* A formatted string. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* `list` with `word` after a comma and a blank; `list` may be NULL. Not added twice. */
char *text_add(char *list, const char *word);

#endif
