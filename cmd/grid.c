#include "grid.h"

#include "command.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void *or_die(void *memory)
{
    if (!memory) {
        exit(fail("out of memory"));
    }
    return memory;
}

struct render_cell *grid_row(struct grid *grid)
{
    struct render_table *table = &grid->table;
    if (table->row_count == grid->room) {
        grid->room = grid->room ? grid->room * 2 : 16;
        grid->rows = or_die(realloc(grid->rows, grid->room * sizeof(*grid->rows)));
        table->rows = grid->rows;
    }
    struct render_cell *cells = or_die(calloc(table->column_count, sizeof(*cells)));
    grid->rows[table->row_count++] = (struct render_row){cells, NULL};
    return cells;
}

char *text_of(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        text = NULL;
    }
    va_end(args);
    return or_die(text);
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)); at += length) {
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || !at[length])) {
            return true;
        }
    }
    return false;
}

char *text_add(char *list, const char *word)
{
    if (list && has_word(list, word)) {
        return list;
    }
    return list ? text_of("%s, %s", list, word) : text_of("%s", word);
}
