/* Which pointers may be followed: every kind of memory, and the edges of pages. */
#include "uaccess.h"

#include "sandbox.h"
#include "unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static struct timespec in_bss;
static struct timespec in_data = {1, 2};
static const struct timespec in_rodata = {1, 2};

static void test_known(void)
{
    struct timespec on_stack = {1, 2};
    struct timespec *on_heap = malloc(sizeof(*on_heap));
    CHECK(uaccess_known(&on_stack, sizeof(on_stack)));
    CHECK(uaccess_known(&in_bss, sizeof(in_bss)));
    CHECK(uaccess_known(&in_data, sizeof(in_data)));
    CHECK(uaccess_known(on_heap, sizeof(*on_heap)));
    CHECK(!uaccess_known(&in_rodata, sizeof(in_rodata)));
    CHECK(uaccess_readable(&in_rodata, sizeof(in_rodata)));
    CHECK(!uaccess_writable((void *)(uintptr_t)&in_rodata, sizeof(in_rodata)));
    free(on_heap);
}

static void test_pages(void)
{
    char *page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(page + 4096, 4096, PROT_READ);
    mprotect(page + 8192, 4096, PROT_NONE);
    errno = 0;
    CHECK(uaccess_readable(page, 4096));
    CHECK(uaccess_writable(page, 4096));
    CHECK(uaccess_readable(page + 4096, 16));
    CHECK(!uaccess_writable(page + 4096, 16));
    CHECK(uaccess_readable(page + 4088, 16));
    CHECK(!uaccess_writable(page + 4088, 16));
    CHECK(uaccess_readable(page + 8176, 16));
    CHECK(!uaccess_readable(page + 8180, 16));
    CHECK(!uaccess_readable(page + 8192, 16));
    CHECK(!uaccess_readable(page, 3 * 4096));
    CHECK(!uaccess_readable(NULL, 16));
    CHECK(!uaccess_readable((void *)(UINTPTR_MAX - 7), 16));
    CHECK(!uaccess_readable((void *)UINTPTR_MAX, 16));
    CHECK(!uaccess_writable((void *)(UINTPTR_MAX - 7), 16));
    EQUAL(errno, 0);
    munmap(page, 3 * 4096);
    CHECK(!uaccess_readable(page, 16));
}

/* Under a filter that may kill only what is good by nature counts: nothing may be asked. */
static void test_may_kill(void)
{
    struct timespec on_stack;
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sandbox_state = SANDBOX_MAY_KILL;
    CHECK(!uaccess_readable(page, 16));
    CHECK(!uaccess_writable(page, 16));
    CHECK(uaccess_readable(&on_stack, sizeof(on_stack)));
    CHECK(uaccess_readable(&in_bss, sizeof(in_bss)));
    sandbox_state = SANDBOX_NONE;
    munmap(page, 4096);
}

static void *on_thread(void *arg)
{
    struct timespec on_stack = {0};
    CHECK(uaccess_readable(&on_stack, sizeof(on_stack)));
    CHECK(uaccess_writable(&on_stack, sizeof(on_stack)));
    /* the first thread's stack is the same memory from here, but not above this thread's frames */
    CHECK(uaccess_writable(arg, sizeof(struct timespec)));
    return NULL;
}

int main(void)
{
    struct timespec on_stack;
    pthread_t thread;
    test_known();
    test_pages();
    test_may_kill();
    pthread_create(&thread, NULL, on_thread, &on_stack);
    pthread_join(thread, NULL);
    return unit_failures != 0;
}
