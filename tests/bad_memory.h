/* Memory that a call mustn't crash on, nor take for bad when it's good. */
#ifndef BAD_MEMORY_H
#define BAD_MEMORY_H

#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_BYTES ((size_t)4096)

enum memory {
    TINY,
    WRAPPING,      /* its end lies beyond the last address */
    KERNEL,        /* above what a process may have */
    NOT_CANONICAL, /* no address at all */
    NO_ACCESS,     /* PROT_NONE */
    READ_ONLY,     /* readable, with the right contents */
    UNMAPPED,      /* never mapped, or no more */
    CROSSING,      /* begins in a good page, ends in none */
    PAST_END,      /* a file's mapping beyond the file's end: SIGBUS for a program */
    SHRUNK_HEAP,   /* was below the break once */
    ABOVE_STACK,   /* just above a thread's stack */
    GOOD_AT_END,   /* the last bytes of a page: good */
    GOOD_HEAP,
    GOOD_STATIC,
    GOOD_THREAD_STACK,
    MEMORIES
};

static const char *const memory_names[MEMORIES] = {
    "a tiny address", "wrapping",        "kernel's",
    "not canonical",  "no access",       "read-only",
    "unmapped",       "crossing",        "past the file's end",
    "shrunk heap",    "above the stack", "good, at page end",
    "good, heap",     "good, static",    "good, thread's stack"};

static char good_static[2 * PAGE_BYTES];
static char *thread_stack; /* sixteen pages, then one without access */
static char *shrunk_heap;
static char *good_heap;

/* Two pages, of which the second is taken away. */
static inline char *page_before_nothing(void)
{
    char *map =
        mmap(NULL, 2 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || munmap(map + PAGE_BYTES, PAGE_BYTES)) {
        abort();
    }
    return map;
}

static inline void memory_prepare(void)
{
    char *before = sbrk(256 * PAGE_BYTES);
    shrunk_heap = before + 100 * PAGE_BYTES;
    memset(before, 1, 256 * PAGE_BYTES);
    if (sbrk(-(intptr_t)(256 * PAGE_BYTES)) == (void *)-1) {
        abort();
    }
    good_heap = malloc(PAGE_BYTES);
}

static inline char *file_past_end(void)
{
    char path[] = "/tmp/past.XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    char *map = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return map;
}

/* `size` bytes of that sort holding `contents` where they can hold anything. The maps leak. */
static inline void *memory_of(enum memory sort, const void *contents, size_t size)
{
    char *page = page_before_nothing();
    memcpy(page, contents, size);
    memcpy(page + PAGE_BYTES - size, contents, size);
    switch (sort) {
    case TINY:
        return (void *)8;
    case WRAPPING:
        return (void *)(UINTPTR_MAX - 7);
    case KERNEL:
        return (void *)0xffff888000000000;
    case NOT_CANONICAL:
        return (void *)0x8000000000000000;
    case NO_ACCESS:
        mprotect(page, PAGE_BYTES, PROT_NONE);
        return page;
    case READ_ONLY:
        mprotect(page, PAGE_BYTES, PROT_READ);
        return page;
    case UNMAPPED:
        return page + PAGE_BYTES;
    case CROSSING:
        return page + PAGE_BYTES - size / 2;
    case PAST_END:
        return file_past_end();
    case SHRUNK_HEAP:
        return shrunk_heap;
    case ABOVE_STACK:
        return thread_stack + 16 * PAGE_BYTES;
    case GOOD_AT_END:
        return page + PAGE_BYTES - size;
    case GOOD_HEAP:
        return memcpy(good_heap, contents, size);
    case GOOD_STATIC:
        return memcpy(good_static, contents, size);
    default:
        return memcpy(thread_stack, contents, size);
    }
}

static sigjmp_buf crash;

static inline void on_crash(int signal)
{
    siglongjmp(crash, signal);
}

static inline void catch_crashes(void)
{
    struct sigaction action = {.sa_handler = on_crash};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

#endif
