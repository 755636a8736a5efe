/* By the process's own statistics file or, where it has none, by the probe that is pinned. */
#include "service_late.h"

#include "grid.h"
#include "slack_process.h"
#include "stats_map.h"

#include <stdlib.h>
#include <unistd.h>

static char *quantiles(const uint64_t *slots)
{
    char half[NS_TEXT], most[NS_TEXT];
    const struct histogram h = {slots, 0, 0};
    if (!histogram_count(&h)) {
        return NULL;
    }
    return text_of("50 %%: %s, 99 %%: %s", ns_text(histogram_quantile(&h, 500), half),
                   ns_text(histogram_quantile(&h, 990), most));
}

char *service_late(pid_t pid, const char *stats)
{
    uint64_t slots[HIST_SLOTS] = {0};
    /* As the process sees it: it may have a root of its own. */
    char *path = stats ? text_of("/proc/%d/root%s", (int)pid, stats) : NULL;
    const struct stats_file *map =
        path && *stats == '/' && access(path, R_OK) == 0 ? stats_map_open(path) : NULL;
    for (size_t call = 0; map && call < CALL_COUNT; call++) {
        for (size_t i = 0; i < HIST_SLOTS; i++) {
            slots[i] += map->call[call].hist[i];
        }
    }
    if (!map) {
        slack_of_process(pid, slots);
    }
    return quantiles(slots);
}
