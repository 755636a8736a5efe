/* The clock with the kernel's vDSO, with one that has the newer hash table only, and without any.
 */
#include "clock.h"

#include "deadline.h"
#include "unit.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#define VDSO_ROOM 65536

static const void *vdso; /* what the library is told; NULL: there is none, as at the start here */

unsigned long getauxval(unsigned long type)
{
    unsigned long (*real)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
    return type == AT_SYSINFO_EHDR ? (uintptr_t)vdso : real(type);
}

static int64_t libc_now(clockid_t clock)
{
    struct timespec ts;
    clock_gettime(clock, &ts);
    return ts.tv_sec * NS_PER_SEC + ts.tv_nsec;
}

static void test_readings(void)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_REALTIME};
    for (int i = 0; i < 3; i++) {
        errno = ENOLINK;
        int64_t before = libc_now(clocks[i]), now = clock_now(clocks[i]);
        CHECK(before <= now && now <= libc_now(clocks[i]));
        EQUAL(errno, ENOLINK);
    }
}

/* The end of the object, by its segments and its section headers. */
static size_t size_of(const ElfW(Ehdr) * header)
{
    size_t end = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
    const ElfW(Phdr) *segment = (const void *)((const char *)header + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++) {
        size_t here = segment[i].p_offset + segment[i].p_filesz;
        end = here > end ? here : end;
    }
    return end;
}

static ElfW(Dyn) * dynamic_of(ElfW(Ehdr) * header)
{
    ElfW(Phdr) *segment = (void *)((char *)header + header->e_phoff);
    while (segment->p_type != PT_DYNAMIC) {
        segment++;
    }
    return (void *)((char *)header + segment->p_offset);
}

/* Whether the clock is found in that vDSO, in a process of its own: what is found once stays. */
static bool finds_clock(const void *image, bool try_it)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        vdso = image;
        clock_init();
        if (try_it) {
            test_readings();
        }
        exit(unit_failures ? 2 : clock_is_free());
    }
    waitpid(pid, &status, 0);
    CHECK(status == 0 || status == 0x100);
    return WEXITSTATUS(status) == 1;
}

/* A copy with `tag` renamed. It can't be run where it is: only looked through. */
static bool finds_clock_without(const void *image, ElfW(Sxword) tag)
{
    static _Alignas(4096) char copy[VDSO_ROOM];
    size_t size = size_of(image);
    if (size > sizeof(copy)) {
        CHECK(size <= sizeof(copy));
        return false;
    }
    memcpy(copy, image, size);
    for (ElfW(Dyn) *d = dynamic_of((void *)copy); d->d_tag != DT_NULL; d++) {
        d->d_tag = d->d_tag == tag ? DT_DEBUG : d->d_tag;
    }
    return finds_clock(copy, false);
}

int main(void)
{
    unsigned long (*real)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
    const void *kernels = (const void *)real(AT_SYSINFO_EHDR);
    CHECK(!clock_is_free());
    test_readings();
    if (!kernels) {
        return unit_failures != 0;
    }
    CHECK(finds_clock(kernels, true));
    CHECK(finds_clock_without(kernels, DT_HASH));
    CHECK(finds_clock_without(kernels, DT_GNU_HASH));
    CHECK(!finds_clock_without(kernels, DT_SYMTAB));
    CHECK(!finds_clock_without(kernels, DT_STRTAB));
    return unit_failures != 0;
}
