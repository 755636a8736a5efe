/* The statistics file, seen from the command: made here, filled by the library. */
#ifndef HRTIMEOUT_STATS_MAP_H
#define HRTIMEOUT_STATS_MAP_H

#define HRTIMEOUT_STATS_READER
#include "stats.h"

/* Makes `path` a statistics file with all its blocks there, or checks the one that is there
 * already. */
bool stats_map_create(const char *path);

/* Maps a statistics file for reading. NULL after a message when it isn't one. */
const struct stats_file *stats_map_open(const char *path);

#endif
