#include "real.h"

#include "next_symbol.h"
#include "old_glibc.h"

#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <sys/auxv.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

struct real real_table;

int libc_version(void)
{
#ifdef __GLIBC__
    const char *text = gnu_get_libc_version();
    int part[2] = {0, 0};
    for (int i = 0; *text && i < 2; text++) {
        if (*text == '.') {
            i++;
        } else {
            part[i] = part[i] * 10 + (*text - '0');
        }
    }
    return part[0] * 100 + part[1];
#else
    return 0;
#endif
}

static void *next_function(const char *name)
{
    return has_libdl() ? dlsym(RTLD_NEXT, name) : next_symbol(name);
}

/* The assignment through a data pointer is what POSIX asks for in dlsym's rationale. */
static void look_up(void *pointer, const char *name)
{
    void *found = next_function(name);
    __atomic_store_n((void **)pointer, found, __ATOMIC_RELAXED);
}

/* Whether an object's code holds both addresses (1) or only the first (-1); 0 goes on looking. */
static int holds_both(struct dl_phdr_info *object, size_t size, void *data)
{
    const uintptr_t *address = data;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        uintptr_t start = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
        size_t length = object->dlpi_phdr[i].p_memsz;
        if (object->dlpi_phdr[i].p_type == PT_LOAD && address[0] - start < length) {
            return address[1] - start < length ? 1 : -1;
        }
    }
    return 0;
}

static real_clock_function *libc_clock;

/* dladdr() would say it too, but reads all of libc's symbols to find the nearest. */
bool real_time_is_faked(void)
{
    void *next = next_function("clock_gettime");
    uintptr_t address[2] = {(uintptr_t)getauxval, (uintptr_t)next};
    if (!next || dl_iterate_phdr(holds_both, address) == -1) {
        return next;
    }
    *(void **)&libc_clock = next;
    return false;
}

real_clock_function *real_clock(void)
{
    return libc_clock;
}

void real_lookup(void)
{
#ifdef __GLIBC__
    int version = libc_version();
#else
    int version = INT_MAX; /* musl: the table has only what every musl has */
#endif
#define WRAP(name, since)                                                                          \
    if (version >= (since)) {                                                                      \
        look_up(&real_table.name, #name);                                                          \
    }
#define ALIAS(name, of)
#include "symbols.h"
#undef WRAP
#undef ALIAS
    __atomic_store_n(&real_table.ready, true, __ATOMIC_RELEASE);
}
