/* stat_counts FILE: what is counted in a statistics file, one "CALL WHAT NUMBER" a line. */
#define HRTIMEOUT_STATS_READER
#include "stats.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const char *const calls[CALL_COUNT] = {
    "poll",         "ppoll",     "select",          "pselect", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "nanosleep", "clock_nanosleep", "usleep",  "sleep",      "thrd_sleep"};
static const char *const ends[END_COUNT] = {"timeout", "ready", "interrupted",
                                            "error",   "zero",  "infinite"};
static const char *const notices[NOTICE_COUNT] = {
    "zero_burst", "rearmed", "cut_short", "invalid", "absurd", "zeroed_timeval", "hung_up"};

static void show(const char *call, const char *what, uint64_t count)
{
    if (count) {
        printf("%s %s %" PRIu64 "\n", call, what, count);
    }
}

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    const struct stats_file *file =
        mmap(NULL, sizeof(struct stats_file), PROT_READ, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED || strcmp(file->magic, STATS_MAGIC) != 0) {
        return 1;
    }
    for (int c = 0; c < CALL_COUNT; c++) {
        const struct stat_record *record = &file->call[c];
        uint64_t measured = 0;
        for (int i = 0; i < END_COUNT; i++) {
            show(calls[c], ends[i], record->ended[i]);
        }
        for (int i = 0; i < NOTICE_COUNT; i++) {
            show(calls[c], notices[i], record->notice[i]);
        }
        for (int i = 0; i < HIST_SLOTS; i++) {
            measured += record->hist[i];
        }
        show(calls[c], "measured", measured);
        show(calls[c], "early", record->early);
    }
    return 0;
}
