/* How late one process is by the pinned probe, for others that show processes. */
#include "slack_process.h"
#include "slack.h"

#include <unistd.h>

/* Opened once. False: nothing is pinned, or not for this user. */
static bool pinned_maps(struct slack_maps **maps)
{
    static struct slack_maps opened;
    static int state; /* 0: not tried, 1: open, -1: can't be */
    if (!state) {
        bool may = access(SLACK_PINS "/slack", R_OK | W_OK) == 0;
        state = may && slack_open_pinned(&opened) ? 1 : -1;
    }
    *maps = &opened;
    return state > 0;
}

bool slack_of_process(pid_t pid, uint64_t *slots)
{
    const struct slack_options all = {.all = true};
    struct slack_maps *maps;
    struct slack_view view;
    bool found = false;
    if (!pinned_maps(&maps) || !slack_look(maps, &all, &view)) {
        return false;
    }
    for (size_t i = 0; i < view.count; i++) {
        const struct slack_line *line = &view.lines[i];
        if (line->key.tgid != (uint32_t)pid) {
            continue;
        }
        found = true;
        for (size_t slot = 0; slot < HIST_SLOTS; slot++) {
            slots[slot] += line->hist[slot];
        }
    }
    slack_free(&view);
    return found;
}
