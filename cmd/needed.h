/* The libraries that the loader would load for a program. */
#ifndef HRTIMEOUT_NEEDED_H
#define HRTIMEOUT_NEEDED_H

#include "elf_file.h"

struct loaded {
    const struct elf_file *elf;
    const struct loaded *by; /* what needed it first; NULL for the program */
};

#define MOST_LOADED 512

struct load_list {
    struct loaded
        *items[MOST_LOADED]; /* the program first, then breadth-first as the loader goes */
    size_t count;
    char *missing; /* names that weren't found, or NULL */
};

/* Walks DT_NEEDED from `program`. */
void needed_walk(const struct elf_file *program, struct load_list *list);

#endif
