#include "clock.h"

#include "deadline.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The 64-bit layout that the kernel uses on every architecture. */
struct kernel_timespec {
    int64_t sec;
    int64_t nsec;
};

#ifdef SYS_clock_gettime64
#define CLOCK_SYSCALL SYS_clock_gettime64
#define CLOCK_SYMBOL  "__vdso_clock_gettime64"
#else
#define CLOCK_SYSCALL SYS_clock_gettime
#ifdef __aarch64__
#define CLOCK_SYMBOL "__kernel_clock_gettime"
#else
#define CLOCK_SYMBOL "__vdso_clock_gettime"
#endif
#endif

static int by_system_call(clockid_t clock, struct kernel_timespec *ts)
{
    int saved = errno;
    int failed = (int)syscall(CLOCK_SYSCALL, clock, ts);
    errno = saved;
    return failed;
}

static int (*read_clock)(clockid_t clock, struct kernel_timespec *ts) = by_system_call;

/* What a search through the vDSO's dynamic symbols needs. */
struct vdso {
    uintptr_t load; /* what to add to an address in the file */
    const ElfW(Sym) * symbols;
    const char *strings;
    size_t count;
};

static void *at(const struct vdso *v, uintptr_t address)
{
    return (void *)(v->load + address);
}

/* DT_HASH gives the number of symbols; a vDSO without it has DT_GNU_HASH, whose chains end it. */
static size_t gnu_count(const uint32_t *hash)
{
    const uint32_t *buckets = hash + 4 + (size_t)hash[2] * (sizeof(ElfW(Addr)) / sizeof(*hash));
    const uint32_t *chain = buckets + hash[0];
    uint32_t last = 0;
    for (uint32_t i = 0; i < hash[0]; i++) {
        last = buckets[i] > last ? buckets[i] : last;
    }
    if (last < hash[1]) {
        return hash[1];
    }
    while (!(chain[last - hash[1]] & 1)) {
        last++;
    }
    return last + 1;
}

static void read_dynamic(struct vdso *v, const ElfW(Dyn) * dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        void *where = at(v, dynamic->d_un.d_ptr);
        if (dynamic->d_tag == DT_SYMTAB) {
            v->symbols = where;
        } else if (dynamic->d_tag == DT_STRTAB) {
            v->strings = where;
        } else if (dynamic->d_tag == DT_HASH) {
            v->count = ((const uint32_t *)where)[1];
        } else if (dynamic->d_tag == DT_GNU_HASH && !v->count) {
            v->count = gnu_count(where);
        }
    }
}

static bool open_vdso(struct vdso *v)
{
    const ElfW(Ehdr) *header = (const void *)getauxval(AT_SYSINFO_EHDR);
    const ElfW(Dyn) *dynamic = NULL;
    if (!header) {
        return false;
    }
    const ElfW(Phdr) *segment = (const void *)((const char *)header + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0) {
            v->load = (uintptr_t)header - segment[i].p_vaddr;
        } else if (segment[i].p_type == PT_DYNAMIC) {
            dynamic = (const void *)((const char *)header + segment[i].p_offset);
        }
    }
    if (!dynamic) {
        return false;
    }
    read_dynamic(v, dynamic);
    return v->symbols && v->strings && v->count;
}

void clock_init(void)
{
    struct vdso v = {0};
    if (!open_vdso(&v)) {
        return;
    }
    for (size_t i = 0; i < v.count; i++) {
        const ElfW(Sym) *symbol = &v.symbols[i];
        if (symbol->st_shndx != SHN_UNDEF &&
            strcmp(v.strings + symbol->st_name, CLOCK_SYMBOL) == 0) {
            read_clock = (int (*)(clockid_t, struct kernel_timespec *))at(&v, symbol->st_value);
            return;
        }
    }
}

bool clock_is_free(void)
{
    return read_clock != by_system_call;
}

int64_t clock_now(clockid_t clock)
{
    struct kernel_timespec ts = {0};
    /* An old 32-bit kernel may lack the 64-bit call; the library then stays out of the way
     * (init.c). */
    if (read_clock(clock, &ts) != 0) {
        return 0;
    }
    return ns_from_parts(ts.sec, ts.nsec);
}
