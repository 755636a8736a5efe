/* The statistics file, as the library opens it and counts in it. */
#include "stats.h"
#include "stats_bytes.h"

#include <sys/mman.h>

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

/* How many processes the file says have used it. */
static uint64_t processes(int fd)
{
    uint64_t n = 0;
    must(pread(fd, &n, sizeof(n), offsetof(struct stats_file, processes)) >= 0);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    char path[64];
    int fd = stats_bytes_file(&in, path);
    uint64_t before = processes(fd);
    stats = NULL;
    stats_open(path);
    must(processes(fd) == before + (stats != NULL));
    if (stats) {
        must(memcmp(stats->magic, STATS_MAGIC, sizeof(stats->magic)) == 0);
        must(stats->version == STATS_VERSION && stats->size == sizeof(*stats));
        must(lseek(fd, 0, SEEK_END) == (off_t)sizeof(*stats));
        count();
        munmap(stats, sizeof(*stats));
        stats = NULL;
    }
    close(fd);
    return 0;
}
