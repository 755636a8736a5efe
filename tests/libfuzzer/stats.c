/*
 * The statistics file, as the library and the command open it. The bytes: how much the file's size
 * is off, where the rest is laid over a file that is right.
 */
#include "stats.h"
#include "input.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static struct stats_file right = {
    .magic = STATS_MAGIC, .version = STATS_VERSION, .size = sizeof(struct stats_file)};

static int make_file(struct input *in, char path[64])
{
    size_t size = sizeof(right), at = 0;
    int fd = memfd_create("stats", 0);
    if (in->size > 2) {
        size += (size_t)(int8_t)in->data[0];
        at = in->data[1];
        in->data += 2;
        in->size -= 2;
    }
    must(fd >= 0 && pwrite(fd, &right, sizeof(right), 0) == (ssize_t)sizeof(right));
    must(pwrite(fd, in->data, in->size, (off_t)at) == (ssize_t)in->size);
    must(ftruncate(fd, (off_t)size) == 0);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

/* What the library adds to a file that it took. */
static void count(void)
{
    for (int call = 0; call < CALL_COUNT; call++) {
        for (int what = 0; what < DID_COUNT; what++) {
            stats_did((enum stat_call)call, (enum stat_did)what);
        }
        stats_count_timeout((enum stat_call)call, INT64_MAX);
        stats_count_timeout((enum stat_call)call, -1);
        stats_spun((enum stat_call)call, 5);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    char path[64];
    int fd = make_file(&in, path);
    stats = NULL;
    stats_open(path);
    if (stats) {
        must(memcmp(stats->magic, STATS_MAGIC, sizeof(stats->magic)) == 0);
        count();
        munmap(stats, sizeof(*stats));
        stats = NULL;
    }
    close(fd);
    return 0;
}
