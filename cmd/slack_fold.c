/*
 * A pinned probe on a machine whose scripts sleep gets new rows for ever. Nobody adds to the rows
 * of a process that has ended, so they can be added up by name without losing a wait.
 */
#include "slack.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

static void add_all(uint64_t *to, const uint64_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] += from[i];
    }
}

static void fold_row(const struct slack_maps *maps, const struct slack_key *key)
{
    struct slack_row row, sum = {0};
    struct slack_fine fine = {{0}}, fine_sum = {{0}};
    struct slack_key folded = *key;
    folded.tgid = 0;
    if (bpf_map_lookup_elem(maps->rows, key, &row) != 0) {
        return;
    }
    bpf_map_lookup_elem(maps->fine, key, &fine);
    bpf_map_lookup_elem(maps->rows, &folded, &sum);
    bpf_map_lookup_elem(maps->fine, &folded, &fine_sum);
    uint64_t max = row.late_max_ns > sum.late_max_ns ? row.late_max_ns : sum.late_max_ns;
    add_all(&sum.waits, &row.waits, sizeof(sum) / sizeof(uint64_t));
    add_all(fine_sum.hist, fine.hist, HIST_SLOTS);
    sum.late_max_ns = max;
    /* Out first: the map may be full. */
    bpf_map_delete_elem(maps->rows, key);
    bpf_map_delete_elem(maps->fine, key);
    bpf_map_update_elem(maps->rows, &folded, &sum, BPF_ANY);
    bpf_map_update_elem(maps->fine, &folded, &fine_sum, BPF_ANY);
}

void slack_fold(const struct slack_maps *maps)
{
    static struct slack_key ended[SLACK_ROWS];
    struct slack_key key, next;
    void *at = NULL;
    size_t count = 0;
    for (; count < SLACK_ROWS && bpf_map_get_next_key(maps->rows, at, &next) == 0; at = &key) {
        key = next;
        if (key.tgid && kill((pid_t)key.tgid, 0) != 0 && errno == ESRCH) {
            ended[count++] = key;
        }
    }
    for (size_t i = 0; i < count; i++) {
        fold_row(maps, &ended[i]);
    }
}
