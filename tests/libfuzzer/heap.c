/*
 * What the command and the targets call in place of libc's functions of the same name without
 * "world_": world.symbols says which.
 */
#include "heap.h"

#include "input.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool inside;
static void **blocks;
static size_t count, room;

static void keep(void *block)
{
    if (!inside || !block) {
        return;
    }
    if (count == room) {
        room = room ? room * 2 : 256;
        blocks = realloc(blocks, room * sizeof(*blocks));
        must(blocks != NULL);
    }
    blocks[count++] = block;
}

static void forget(const void *block)
{
    for (size_t i = inside && block ? count : 0; i-- > 0;) {
        if (blocks[i] == block) {
            blocks[i] = blocks[--count];
            return;
        }
    }
}

void heap_begin(void)
{
    inside = true;
}

void heap_end(void)
{
    inside = false;
    while (count) {
        free(blocks[--count]);
    }
}

void *world_malloc(size_t size)
{
    void *block = malloc(size);
    keep(block);
    return block;
}

void *world_calloc(size_t n, size_t size)
{
    void *block = calloc(n, size);
    keep(block);
    return block;
}

void *world_realloc(void *old, size_t size)
{
    forget(old);
    void *block = realloc(old, size);
    must(block != NULL);
    keep(block);
    return block;
}

void world_free(void *block)
{
    forget(block);
    free(block);
}

char *world_strndup(const char *text, size_t size)
{
    char *block = strndup(text, size);
    keep(block);
    return block;
}

int world_vasprintf(char **to, const char *format, va_list args)
{
    int length = vasprintf(to, format, args);
    keep(length < 0 ? NULL : *to);
    return length;
}

/* getline() is __getdelim() in optimized code. */
ssize_t world_getdelim(char **line, size_t *size, int end, FILE *from)
{
    forget(*line);
    ssize_t n = getdelim(line, size, end, from);
    keep(*line);
    return n;
}

ssize_t world___getdelim(char **line, size_t *size, int end, FILE *from)
{
    return world_getdelim(line, size, end, from);
}

ssize_t world_getline(char **line, size_t *size, FILE *from)
{
    return world_getdelim(line, size, '\n', from);
}
