#include "real.h"

#include <dlfcn.h>
#include <limits.h>
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

/* The assignment through a data pointer is what POSIX asks for in dlsym's rationale. */
static void look_up(void *pointer, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    __atomic_store_n((void **)pointer, found, __ATOMIC_RELAXED);
}

bool real_time_is_faked(void)
{
    Dl_info clock;
    Dl_info libc;
    void *next = dlsym(RTLD_NEXT, "clock_gettime");
    return next && dladdr(next, &clock) && dladdr((void *)getauxval, &libc) &&
           clock.dli_fbase != libc.dli_fbase;
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
