/*
 * The loader's cache. First byte even: the rest is the cache, looked through for the name in its
 * first line. Odd: lines "name path" of a cache that is written here and must give them all back;
 * half of the byte is how many entries of the older format stand in front.
 */
#include "ld_cache.h"
#include "input.h"

#include <stdbool.h>
#include <stdio.h>

#define MAGIC "glibc-ld.so.cache1.1"

struct seen {
    const char *bytes, *wanted;
    size_t size, count;
    bool stop;
};

static bool see(const char *path, void *data)
{
    struct seen *seen = data;
    must(path >= seen->bytes && path < seen->bytes + seen->size);
    must(memchr(path, 0, (size_t)(seen->bytes + seen->size - path)) != NULL);
    seen->count += !seen->wanted || strcmp(path, seen->wanted) == 0;
    return seen->stop;
}

/* A copy that ends where the memory ends. */
static char *exact(const void *bytes, size_t size)
{
    char *copy = malloc(size ? size : 1);
    must(copy != NULL);
    memcpy(copy, bytes, size);
    return copy;
}

static void any_bytes(struct input in)
{
    struct input lines = in;
    char *name = take_line(&lines), *bytes = exact(lines.data, lines.size);
    struct seen all = {bytes, NULL, lines.size, 0, false}, first = all;
    first.stop = true;
    must(!ld_cache_search(bytes, lines.size, name, see, &all));
    must(ld_cache_search(bytes, lines.size, name, see, &first) == (all.count > 0));
    must(first.count == (all.count > 0));
    free(name);
    free(bytes);
}

/* A cache as ldconfig writes it; `old` puts the older format's header and entries in front. */
struct writer {
    FILE *entries, *strings;
    char *entry_bytes, *string_bytes;
    size_t entry_size, string_size, count;
};

static void put_number(FILE *to, uint64_t number, size_t size)
{
    must(fwrite(&number, size, 1, to) == 1);
}

static void put_entry(struct writer *w, size_t strings_at, const char *name, const char *path)
{
    uint32_t at = (uint32_t)(strings_at + (size_t)ftell(w->strings));
    put_number(w->entries, 0x0303, 4);
    put_number(w->entries, at, 4);
    put_number(w->entries, at + strlen(name) + 1, 4);
    put_number(w->entries, 0, 4);
    put_number(w->entries, 0, 8);
    fwrite(name, strlen(name) + 1, 1, w->strings);
    fwrite(path, strlen(path) + 1, 1, w->strings);
    w->count++;
}

static void put_cache(FILE *to, const struct writer *w, unsigned old)
{
    if (old) {
        fwrite("ld.so-1.7.0", 12, 1, to); /* its padding makes the count lie at 12 */
        put_number(to, old, 4);
        for (size_t left = old * 12UL; left; left--) {
            fputc('x', to);
        }
        while (ftell(to) % 8) {
            fputc(0, to);
        }
    }
    fwrite(MAGIC, sizeof(MAGIC) - 1, 1, to);
    put_number(to, w->count, 4);
    put_number(to, w->string_size, 4);
    for (int i = 0; i < 5; i++) {
        put_number(to, 0, 4);
    }
    fwrite(w->entry_bytes, w->entry_size, 1, to);
    fwrite(w->string_bytes, w->string_size, 1, to);
}

static void find_all(const char *cache, size_t size, struct input in)
{
    while (in.size) {
        char *name = take_line(&in), *path = strchr(name, ' ');
        if (path) {
            *path++ = '\0';
            struct seen seen = {cache, path, size, 0, false};
            ld_cache_search(cache, size, name, see, &seen);
            must(seen.count > 0);
        }
        free(name);
    }
}

static void round_trip(struct input in, unsigned old)
{
    struct writer w = {0};
    struct input lines = in;
    char *cache = NULL;
    size_t size = 0, count = 0;
    for (size_t i = 0; i < in.size; i++) {
        count += in.data[i] == '\n';
    }
    w.entries = open_memstream(&w.entry_bytes, &w.entry_size);
    w.strings = open_memstream(&w.string_bytes, &w.string_size);
    must(w.entries && w.strings);
    while (lines.size) {
        char *name = take_line(&lines), *path = strchr(name, ' ');
        if (path) {
            *path++ = '\0';
            put_entry(&w, 48 + (count + 1) * 24, name, path);
        }
        free(name);
    }
    /* Offsets count from the header: lines that are no pair leave room between. */
    while (w.count < count + 1) {
        put_entry(&w, 48 + (count + 1) * 24, "", "");
    }
    fclose(w.entries);
    fclose(w.strings);
    FILE *to = open_memstream(&cache, &size);
    must(to != NULL);
    put_cache(to, &w, old);
    fclose(to);
    char *bytes = exact(cache, size);
    find_all(bytes, size, in);
    free(bytes);
    free(cache);
    free(w.entry_bytes);
    free(w.string_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    unsigned kind = take_byte(&in);
    if (kind % 2 == 0) {
        any_bytes(in);
    } else if (in.size < 8192) {
        round_trip(in, kind / 2);
    }
    return 0;
}
