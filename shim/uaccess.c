#include "uaccess.h"

#include "sandbox.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE          4096U /* the smallest there is; asking twice for one larger page is harmless */
#define KERNEL_SIGSET 8

/*
 * How far below its end the first thread's stack is sure to be in one piece: smaller than the usual
 * limit, so that another mapping below it isn't taken for the stack.
 */
#define STACK_SURE (4UL << 20)

struct range {
    uintptr_t start, end;
};

static struct range data;   /* the program's .data and .bss, without what relro protects */
static uintptr_t stack_end; /* of the first thread */

#ifdef __GLIBC__
static uintptr_t heap_start; /* of brk; its end is libc's to say */

/* glibc's record of the program break: sbrk(0) without the call. */
extern char *__curbrk __attribute__((weak));
#endif

static bool inside(const struct range *r, uintptr_t start, uintptr_t end)
{
    return start >= r->start && end <= r->end;
}

static bool in_heap(uintptr_t start, uintptr_t end)
{
#ifdef __GLIBC__
    if (heap_start && start >= heap_start) {
        return end <= (uintptr_t)__atomic_load_n(&__curbrk, __ATOMIC_RELAXED);
    }
#else
    (void)start, (void)end;
#endif
    return false;
}

/*
 * The callers' frames lie above this one: on the first thread's stack up to its end, elsewhere (a
 * thread's, a coroutine's, an alternate stack) for sure only to the end of this page.
 */
static bool in_frames(uintptr_t start, uintptr_t end)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (start < here) {
        return false;
    }
    if (end <= (here | (PAGE - 1))) {
        return true;
    }
    return end <= stack_end && here < stack_end && stack_end - here < STACK_SURE;
}

bool uaccess_known(const void *p, size_t size)
{
    uintptr_t start = (uintptr_t)p;
    uintptr_t end;
    if (__builtin_add_overflow(start, size, &end)) {
        return false;
    }
    return in_frames(start, end) || inside(&data, start, end) || in_heap(start, end);
}

/*
 * rt_sigprocmask with a `how` that doesn't exist reads the new set and does nothing else; without a
 * new set it only writes the old one.
 */
static bool kernel_reads(uintptr_t address)
{
    return syscall(SYS_rt_sigprocmask, -1, address, NULL, KERNEL_SIGSET) == 0 || errno != EFAULT;
}

static bool kernel_writes(uintptr_t address)
{
    return syscall(SYS_rt_sigprocmask, -1, NULL, address, KERNEL_SIGSET) == 0;
}

/*
 * Less than eight bytes: a set of few descriptors on a 32-bit machine, aligned to its size. The
 * eight bytes round it are in the same page; only these may be written, and getcpu writes four.
 */
static bool ask_small(uintptr_t start, bool write)
{
    if (!write) {
        return kernel_reads(start & ~(uintptr_t)(KERNEL_SIGSET - 1));
    }
    return syscall(SYS_getcpu, start, NULL, NULL) == 0 || errno != EFAULT;
}

/* Asks the kernel about each page of the range; for writing only of bytes that belong to it. */
static bool ask_pages(uintptr_t start, size_t size, bool (*good)(uintptr_t))
{
    uintptr_t last;
    if (__builtin_add_overflow(start, size - KERNEL_SIGSET, &last)) {
        return false;
    }
    bool all = good(start) && (last == start || good(last));
    for (uintptr_t page = (start | (PAGE - 1)) + 1; all && page < last; page += PAGE) {
        all = good(page);
    }
    return all;
}

static bool ask(uintptr_t start, size_t size, bool write)
{
    if (sandbox() == SANDBOX_MAY_KILL) {
        return false;
    }
    int saved = errno;
    bool good = size < KERNEL_SIGSET ? ask_small(start, write)
                                     : ask_pages(start, size, write ? kernel_writes : kernel_reads);
    errno = saved;
    return good;
}

bool uaccess_readable(const void *p, size_t size)
{
    return uaccess_known(p, size) || ask((uintptr_t)p, size, false);
}

bool uaccess_writable(void *p, size_t size)
{
    return uaccess_known(p, size) || ask((uintptr_t)p, size, true);
}

/* The program's writable segment, cut by what the loader has made read-only again. */
static void find_data(void)
{
    const ElfW(Phdr) *segment = (const void *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM);
    uintptr_t load = 0;
    for (size_t i = 0; segment && i < count; i++) {
        if (segment[i].p_type == PT_PHDR) {
            load = (uintptr_t)segment - segment[i].p_vaddr;
        }
    }
    for (size_t i = 0; segment && i < count; i++) {
        uintptr_t start = load + segment[i].p_vaddr;
        if (segment[i].p_type == PT_LOAD && (segment[i].p_flags & PF_W)) {
            data = (struct range){start, start + segment[i].p_memsz};
        }
    }
    for (size_t i = 0; segment && i < count; i++) {
        uintptr_t relro_end = load + segment[i].p_vaddr + segment[i].p_memsz;
        if (segment[i].p_type == PT_GNU_RELRO && relro_end > data.start && relro_end <= data.end) {
            data.start = relro_end;
        }
    }
}

/*
 * The heap as far as it's sure: from the break of now, or, when somebody has allocated before us,
 * from as far below it as the kernel says is there (a C++ program's first pool lies there).
 */
static void find_heap(void)
{
#ifdef __GLIBC__
    enum { BELOW = 64 };
    if (!&__curbrk) {
        return;
    }
    if (!__curbrk) {
        heap_start = (uintptr_t)sbrk(0);
        return;
    }
    uintptr_t start = (uintptr_t)__curbrk & ~(uintptr_t)(PAGE - 1);
    int saved = errno;
    for (int i = 0; i < BELOW && sandbox() != SANDBOX_MAY_KILL && kernel_reads(start - PAGE); i++) {
        start -= PAGE;
    }
    errno = saved;
    heap_start = start;
#endif
}

void uaccess_init(void)
{
    find_data();
    find_heap();
    stack_end = getauxval(AT_EXECFN);
}
