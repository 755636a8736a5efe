/* Where the arguments of a wait live, good places and bad ones. */
#ifndef FUZZ_MEMORY_H
#define FUZZ_MEMORY_H

#include "program.h"

#include <stddef.h>

#define SLOTS     4
#define SLOT_SIZE 512

struct slots {
    enum place place;
    unsigned char *at[SLOTS]; /* of each slot's object */
    size_t size[SLOTS];
    unsigned char *heap;
    unsigned char stack[SLOTS * SLOT_SIZE] __attribute__((aligned(16)));
};

void memory_set_up(void);

void slots_open(struct slots *s, enum place place);
/* Gives slot `i` an object of `size` bytes; what follows it in the slot must stay as it is. */
void *slot(struct slots *s, int i, size_t size);
/* Were all bytes after the objects left alone? */
bool slots_whole(const struct slots *s);
void slots_close(struct slots *s);

/* An address at which nothing is mapped. */
void *nowhere(void);
/* A copy of the object in a page that can't be written until `readable_again`. */
void *read_only(const void *object, size_t size);
void writable_again(void);

#endif
