/* The statistics file, seen from the command: made here, filled by the library. */
#ifndef HRTIMEOUT_STATS_MAP_H
#define HRTIMEOUT_STATS_MAP_H

#define HRTIMEOUT_STATS_READER
#include "stats.h"

/* Makes `path` a statistics file with all its blocks there, or checks the one that is there
 * already. */
bool stats_map_create(const char *path);

/*
 * Statistics in memory for the programs that this process starts; they find them under `path`.
 * Nobody can shrink it: that would be SIGBUS in every one of them. False after a message.
 */
struct stats_memory {
    const struct stats_file *map;
    int fd;
    char path[48];
};
bool stats_memory_make(struct stats_memory *memory);
void stats_memory_free(struct stats_memory *memory);

/* Maps a statistics file for reading. NULL after a message when it isn't one. */
const struct stats_file *stats_map_open(const char *path);

#endif
