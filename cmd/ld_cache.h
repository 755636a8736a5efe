/* The loader's cache, /etc/ld.so.cache. */
#ifndef HRTIMEOUT_LD_CACHE_H
#define HRTIMEOUT_LD_CACHE_H

#include <stdbool.h>
#include <stddef.h>

/* Calls `found` with each path the cache has for `name`, until it returns true. */
bool ld_cache_find(const char *name, bool (*found)(const char *path, void *data), void *data);

/* The same in a cache's bytes. */
bool ld_cache_search(const void *bytes, size_t size, const char *name,
                     bool (*found)(const char *path, void *data), void *data);

#endif
