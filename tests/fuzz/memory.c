#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE   4096UL
#define CANARY 0xa5

/* Each slot's page, then one that nobody may touch; at last the read-only page. */
static unsigned char *pages, *barrier, *locked;
static unsigned char fixed[SLOTS * SLOT_SIZE] __attribute__((aligned(16)));

void memory_set_up(void)
{
    size_t size = (2 * SLOTS + 3) * PAGE;
    pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        abort();
    }
    for (size_t i = 0; i < SLOTS; i++) {
        mprotect(pages + (2 * i + 1) * PAGE, PAGE, PROT_NONE);
    }
    locked = pages + 2UL * SLOTS * PAGE;
    barrier = locked + PAGE;
    munmap(barrier, 2 * PAGE);
}

void slots_open(struct slots *s, enum place place)
{
    s->place = place;
    s->heap = place == PLACE_HEAP ? malloc(SLOTS * SLOT_SIZE) : NULL;
    memset(s->at, 0, sizeof(s->at));
}

void *slot(struct slots *s, int i, size_t size)
{
    unsigned char *base = s->place == PLACE_STACK    ? s->stack
                          : s->place == PLACE_STATIC ? fixed
                                                     : s->heap;
    if (size > SLOT_SIZE) {
        abort();
    }
    s->size[i] = size;
    if (s->place == PLACE_PAGE_END) {
        return s->at[i] = pages + (2 * (size_t)i + 1) * PAGE - size;
    }
    s->at[i] = base + (size_t)i * SLOT_SIZE;
    memset(s->at[i] + size, CANARY, SLOT_SIZE - size);
    return s->at[i];
}

bool slots_whole(const struct slots *s)
{
    for (int i = 0; i < SLOTS; i++) {
        if (!s->at[i] || s->place == PLACE_PAGE_END) {
            continue;
        }
        for (size_t b = s->size[i]; b < SLOT_SIZE; b++) {
            if (s->at[i][b] != CANARY) {
                return false;
            }
        }
    }
    return true;
}

void slots_close(struct slots *s)
{
    free(s->heap);
}

void *nowhere(void)
{
    return barrier;
}

void *read_only(const void *object, size_t size)
{
    memcpy(locked, object, size);
    mprotect(locked, PAGE, PROT_READ);
    return locked;
}

void writable_again(void)
{
    mprotect(locked, PAGE, PROT_READ | PROT_WRITE);
}
