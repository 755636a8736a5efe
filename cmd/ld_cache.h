/* The loader's cache, /etc/ld.so.cache. */
#ifndef HRTIMEOUT_LD_CACHE_H
#define HRTIMEOUT_LD_CACHE_H

#include <stdbool.h>

/* Calls `found` with each path the cache has for `name`, until it returns true. */
bool ld_cache_find(const char *name, bool (*found)(const char *path, void *data), void *data);

#endif
