/* An allocator that waits in its first calls, so also in one that is made while the library looks
 * up the real functions, if it makes any. */
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define ARENA ((size_t)64 << 20)

static char arena[ARENA] __attribute__((aligned(4096)));
static atomic_size_t used;
static atomic_int calls;

static void wait_a_little(void)
{
    static atomic_bool inside;
    struct timespec ts = {.tv_nsec = 1000};
    struct timeval tv = {.tv_usec = 1};
    if (atomic_fetch_add(&calls, 1) >= 20 || atomic_exchange(&inside, true)) {
        return;
    }
    nanosleep(&ts, NULL);
    poll(NULL, 0, 1);
    select(0, NULL, NULL, NULL, &tv);
    usleep(1);
    atomic_store(&inside, false);
}

/* Each block's size stands before it. */
static void *take(size_t size, size_t alignment)
{
    size_t need = size + 2 * alignment + 16;
    size_t at = atomic_fetch_add(&used, need);
    if (size > ARENA || at + need > ARENA) {
        return NULL;
    }
    uintptr_t start = ((uintptr_t)arena + at + 16 + alignment - 1) & ~(uintptr_t)(alignment - 1);
    ((size_t *)start)[-1] = size;
    wait_a_little();
    return (void *)start;
}

void *malloc(size_t size)
{
    return take(size, 16);
}

void *calloc(size_t count, size_t size)
{
    return count && size > ARENA / count ? NULL : take(count * size, 16);
}

void *realloc(void *old, size_t size)
{
    void *new = take(size, 16);
    if (old && new) {
        size_t before = ((size_t *)old)[-1];
        memcpy(new, old, before < size ? before : size);
    }
    return new;
}

void *memalign(size_t alignment, size_t size)
{
    return take(size, alignment < 16 ? 16 : alignment);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **to, size_t alignment, size_t size)
{
    *to = memalign(alignment, size);
    return *to ? 0 : 12;
}

void free(void *block)
{
    (void)block;
    wait_a_little();
}
