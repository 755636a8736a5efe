/* spun FILE: the ns that a statistics file says were spent spinning. */
#define HRTIMEOUT_STATS_READER
#include "stats.h"
#include <err.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    static struct stats_file stats;
    uint64_t spun = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!file || fread(&stats, sizeof(stats), 1, file) != 1) {
        errx(1, "spun FILE");
    }
    if (memcmp(stats.magic, STATS_MAGIC, sizeof(stats.magic)) != 0 ||
        stats.version != STATS_VERSION || stats.size != sizeof(stats)) {
        errx(1, "%s isn't a statistics file", argv[1]);
    }
    for (int i = 0; i < CALL_COUNT; i++) {
        spun += stats.call[i].spun_ns;
    }
    printf("%llu\n", (unsigned long long)spun);
    return 0;
}
