/*
 * The world that a parser of the command sees while it is fuzzed. Between begin and end every path
 * lies in a directory of its own, and what the command never frees, since it lives for a moment
 * only, is freed at the end.
 */
#ifndef LIBFUZZER_WORLD_H
#define LIBFUZZER_WORLD_H

#include <stdbool.h>
#include <stddef.h>

void world_begin(void);
void world_end(void);

/* Where `path` of that world really lies; one of a few buffers, reused. Other paths as they are. */
const char *world_path(const char *path);

/* Makes a file and the directories it is in; one that is there is overwritten. Before or after
 * begin. */
void world_put(const char *path, const void *bytes, size_t size);

/* A file's bytes with a NUL behind them, to be freed; NULL when it isn't there. */
char *world_get(const char *path, size_t *size);

/* Removes a file, if it is there. */
void world_drop(const char *path);

#endif
