#include "ld_cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CACHE "/etc/ld.so.cache"
#define MAGIC "glibc-ld.so.cache1.1"
#define OLD   "ld.so-1.7.0"

/* The layout of the format that all glibc since 2.2 write; offsets count from the header. */
struct header {
    char magic[sizeof(MAGIC) - 1];
    uint32_t count;
    uint32_t string_size;
    uint32_t flags;
    uint32_t extensions;
    uint32_t unused[3];
};

struct entry {
    int32_t flags;
    uint32_t key, value;
    uint32_t os_version;
    uint64_t hwcap;
};

struct old_header {
    char magic[sizeof(OLD) - 1];
    uint32_t count;
};

#define OLD_ENTRY 12

static const void *map_cache(size_t *size)
{
    struct stat st;
    int fd = open(CACHE, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        *size = (size_t)st.st_size;
        map = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
    return map == MAP_FAILED ? NULL : map;
}

/* An older format may stand in front of it. */
static const char *find_header(const char *map, size_t *size)
{
    size_t skip = 0;
    struct old_header old;
    if (*size > sizeof(old) && memcmp(map, OLD, sizeof(OLD) - 1) == 0) {
        memcpy(&old, map, sizeof(old));
        skip = (sizeof(old) + (size_t)old.count * OLD_ENTRY + 7) & ~(size_t)7;
    }
    if (skip > *size || *size - skip < sizeof(struct header) ||
        memcmp(map + skip, MAGIC, sizeof(MAGIC) - 1) != 0) {
        return NULL;
    }
    *size -= skip;
    return map + skip;
}

static const char *string_at(const char *base, size_t size, uint32_t offset)
{
    return offset < size && memchr(base + offset, 0, size - offset) ? base + offset : NULL;
}

bool ld_cache_search(const void *bytes, size_t size, const char *name,
                     bool (*found)(const char *path, void *data), void *data)
{
    const char *base = find_header(bytes, &size);
    if (!base) {
        return false;
    }
    struct header header;
    memcpy(&header, base, sizeof(header));
    for (uint32_t i = 0; i < header.count; i++) {
        struct entry entry;
        size_t at = sizeof(header) + (size_t)i * sizeof(entry);
        if (at + sizeof(entry) > size) {
            break;
        }
        memcpy(&entry, base + at, sizeof(entry));
        const char *key = string_at(base, size, entry.key);
        const char *path = string_at(base, size, entry.value);
        /* Variants for newer processors import what the plain one does. */
        if (key && path && !entry.hwcap && strcmp(key, name) == 0 && found(path, data)) {
            return true;
        }
    }
    return false;
}

bool ld_cache_find(const char *name, bool (*found)(const char *path, void *data), void *data)
{
    static const void *map;
    static size_t size;
    static bool tried;
    if (!tried) {
        map = map_cache(&size);
        tried = true;
    }
    return map && ld_cache_search(map, size, name, found, data);
}
