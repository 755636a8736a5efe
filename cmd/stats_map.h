/* The statistics file, seen from the command: made here, filled by the library. */
#ifndef HRTIMEOUT_STATS_MAP_H
#define HRTIMEOUT_STATS_MAP_H

#define HRTIMEOUT_STATS_READER
#include "stats.h"

/* Makes `path` a statistics file with all its blocks there, or checks the one that is there
 * already. */
bool stats_map_create(const char *path);

/*
 * Makes statistics in memory for the programs that this process starts, and writes the path under
 * which they find it. Nobody can shrink it: that would be SIGBUS in every one of them. NULL after a
 * message.
 */
#define STATS_PATH 48
const struct stats_file *stats_map_memory(char path[static STATS_PATH]);

/* Maps a statistics file for reading. NULL after a message when it isn't one. */
const struct stats_file *stats_map_open(const char *path);

#endif
