#include "warm.h"

#include "real.h"

#include <stddef.h>

#define WARM_TIME  5000 /* ns: it takes a part of this */
#define STACK_SURE 4096U
#define STACK_FAR  1024 /* bytes of the frames above that are looked through */
#define CACHE_LINE 64

/* This library, as the linker lays it out. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static real_clock_function *libc_clock;

void warm_init(void)
{
    libc_clock = real_clock();
}

/*
 * The frames above hold the addresses where it goes on, here and in the program, and what the
 * program works on: all they point to is fetched. A prefetch never faults, whatever the word was;
 * only the frames' own page is sure to be there.
 */
__attribute__((no_sanitize("address", "undefined"))) static void warm_frames(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    uintptr_t end = (frame | (STACK_SURE - 1)) + 1;
    if (end - frame > STACK_FAR) {
        end = frame + STACK_FAR;
    }
    for (uintptr_t word = frame; word < end; word += sizeof(word)) {
        uintptr_t address = *(const uintptr_t *)word;
        __builtin_prefetch((const void *)address);
        __builtin_prefetch((const void *)(address + CACHE_LINE));
    }
}

void warm_return(int64_t time)
{
    if (time < WARM_TIME) {
        return;
    }
    for (const char *line = __ehdr_start; line < etext; line += CACHE_LINE) {
        __builtin_prefetch(line, 0, 2);
    }
    warm_frames();
    /* Who cares for the time mostly asks for it next. */
    if (libc_clock) {
        struct timespec ts;
        libc_clock(CLOCK_MONOTONIC, &ts);
    }
}
