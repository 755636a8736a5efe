/* The search that stands in for dlsym(RTLD_NEXT): it finds what that finds, and nothing else. */
#include "next_symbol.h"

#include "unit.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static void same(const char *name)
{
    void *want = dlsym(RTLD_NEXT, name), *got = next_symbol(name);
    if (got != want) {
        printf("%s: %p, not %p\n", name, got, want);
        unit_failures++;
    }
}

/* Not static: were the program's own symbols searched, this would be found. */
int test_only_here(void);
int test_only_here(void)
{
    return 0;
}

/* Of these libc keeps an older version for old binaries. */
static void test_versions(void)
{
    static const char *const names[] = {"posix_spawn", "pthread_cond_wait", "nftw",  "realpath",
                                        "glob",        "regexec",           "fclose"};
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        CHECK(next_symbol(names[i]) != NULL);
        same(names[i]);
    }
}

static void test_absent(void)
{
    CHECK(next_symbol("test_only_here") == NULL);
    CHECK(next_symbol("no_such_function") == NULL);
    CHECK(next_symbol("") == NULL);
}

int main(void)
{
#define WRAP(name, since) same(#name);
#define ALIAS(name, of)   same(#name);
#include "symbols.h"
#undef WRAP
#undef ALIAS
    CHECK(next_symbol("nanosleep") != NULL);
    test_versions();
    test_absent();
    return unit_failures != 0;
}
