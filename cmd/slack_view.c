/* Reading the maps into lines, and arithmetic on them. */
#include "slack.h"

#include "command.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct slack_line *new_line(struct slack_view *view)
{
    if (view->count == view->room) {
        size_t room = view->room ? view->room * 2 : 64;
        struct slack_line *lines = realloc(view->lines, room * sizeof(*lines));
        if (!lines) {
            return NULL;
        }
        view->lines = lines;
        view->room = room;
    }
    struct slack_line *line = &view->lines[view->count++];
    memset(line, 0, sizeof(*line));
    return line;
}

/* A probe of our own was told what to keep; a pinned one keeps everything. */
static bool is_wanted(const struct slack_options *o, const struct slack_key *key)
{
    return (!o->pid || key->tgid == (uint32_t)o->pid) &&
           (!o->comm || strncmp(key->comm, o->comm, SLACK_COMM - 1) == 0) &&
           (o->stages || key->source != STAGE);
}

static bool same_line(const struct slack_line *a, const struct slack_line *b)
{
    return a->library == b->library && memcmp(&a->key, &b->key, sizeof(a->key)) == 0;
}

static void add_to(void *to_record, const void *what, size_t size)
{
    uint64_t *to = to_record;
    const uint64_t *n = what;
    for (size_t i = 0; i < size / sizeof(*to); i++) {
        to[i] += n[i];
    }
}

static void merge(struct slack_line *into, const struct slack_line *line)
{
    into->waits += line->waits;
    into->late_sum_ns += line->late_sum_ns;
    if (line->late_max_ns > into->late_max_ns) {
        into->late_max_ns = line->late_max_ns;
    }
    add_to(&into->parts, &line->parts, sizeof(into->parts));
    add_to(into->hist, line->hist, sizeof(into->hist));
}

/* A process id that was used again, by a program of the same name, has more than one row. */
static void merge_last(struct slack_view *view)
{
    const struct slack_line *last = &view->lines[view->count - 1];
    for (struct slack_line *line = view->lines; line < last; line++) {
        if (same_line(line, last)) {
            merge(line, last);
            view->count--;
            return;
        }
    }
}

static bool look_at_kernel(const struct slack_maps *maps, const struct slack_options *o,
                           struct slack_view *view)
{
    struct slack_key key, next;
    void *at = NULL;
    for (; bpf_map_get_next_key(maps->rows, at, &next) == 0; at = &key) {
        struct slack_row row;
        key = next;
        if (!is_wanted(o, &key) || bpf_map_lookup_elem(maps->rows, &key, &row) != 0 || !row.waits) {
            continue;
        }
        struct slack_line *line = new_line(view);
        if (!line) {
            return false;
        }
        line->key = key;
        line->waits = row.waits;
        line->late_sum_ns = row.late_sum_ns;
        line->late_max_ns = row.late_max_ns;
        line->parts = row.parts;
        bpf_map_lookup_elem(maps->fine, &key, line->hist);
    }
    return true;
}

static bool look_at_library(const struct slack_maps *maps, const struct slack_options *o,
                            struct slack_view *view)
{
    for (uint32_t i = 0; i < WAITS_ROWS; i++) {
        struct waits_row row;
        if (bpf_map_lookup_elem(maps->waits, &i, &row) != 0 || !row.owner || !row.waits) {
            continue;
        }
        struct slack_key key = {.tgid = (uint32_t)row.owner, .call = row.call};
        snprintf(key.comm, sizeof(key.comm), "%.*s", SLACK_COMM - 1, row.comm);
        if (key.call >= CALL_COUNT || !is_wanted(o, &key)) {
            continue; /* anybody may have written it, if the map is open to all */
        }
        struct slack_line *line = new_line(view);
        if (!line) {
            return false;
        }
        line->key = key;
        line->library = true;
        line->waits = row.waits;
        line->late_sum_ns = row.late_sum_ns;
        line->late_max_ns = row.late_max_ns;
        bpf_map_lookup_elem(maps->waits_fine, &i, line->hist);
        merge_last(view);
    }
    return true;
}

bool slack_look(const struct slack_maps *maps, const struct slack_options *o,
                struct slack_view *view)
{
    uint32_t zero = 0;
    memset(view, 0, sizeof(*view));
    if (!look_at_kernel(maps, o, view) || (maps->pinned && !look_at_library(maps, o, view))) {
        fail("slack: out of memory");
        return false;
    }
    if (bpf_map_lookup_elem(maps->stats, &zero, &view->stats) != 0) {
        fail("slack: can't read the probe's statistics: %s", strerror(errno));
        return false;
    }
    return true;
}

/* Records of plain counters: all of them at once. */
static void take_off(void *from, const void *what, size_t size)
{
    uint64_t *to = from;
    const uint64_t *n = what;
    for (size_t i = 0; i < size / sizeof(*to); i++) {
        to[i] -= n[i];
    }
}

void slack_since(struct slack_view *now, const struct slack_view *before)
{
    size_t kept = 0;
    for (size_t i = 0; i < now->count; i++) {
        struct slack_line *line = &now->lines[i];
        for (size_t j = 0; j < before->count; j++) {
            const struct slack_line *old = &before->lines[j];
            if (same_line(line, old) && old->waits <= line->waits) {
                line->waits -= old->waits;
                line->late_sum_ns -= old->late_sum_ns;
                take_off(&line->parts, &old->parts, sizeof(line->parts));
                take_off(line->hist, old->hist, sizeof(line->hist));
                break;
            }
        }
        if (line->waits) {
            now->lines[kept++] = *line;
        }
    }
    now->count = kept;
    take_off(&now->stats, &before->stats, sizeof(now->stats));
}

/* As it is shown: names that look the same are one series, or nobody takes the others. */
static void make_plain(char name[static SLACK_COMM])
{
    for (size_t i = 0; name[i];) {
        unsigned length = plain_length(name + i);
        if (!length) {
            name[i] = '?';
        }
        i += length ? length : 1;
    }
}

void slack_by_name(struct slack_view *view)
{
    size_t kept = 0;
    for (size_t i = 0; i < view->count; i++) {
        struct slack_line line = view->lines[i];
        size_t j = 0;
        line.key.tgid = 0;
        make_plain(line.key.comm);
        while (j < kept && !same_line(&view->lines[j], &line)) {
            j++;
        }
        if (j < kept) {
            merge(&view->lines[j], &line);
        } else {
            view->lines[kept++] = line;
        }
    }
    view->count = kept;
}

static int by_lateness(const void *a, const void *b)
{
    const struct slack_line *x = a, *y = b;
    return (x->late_sum_ns < y->late_sum_ns) - (x->late_sum_ns > y->late_sum_ns);
}

void slack_sort(struct slack_view *view)
{
    if (view->count) {
        qsort(view->lines, view->count, sizeof(*view->lines), by_lateness);
    }
}

void slack_free(struct slack_view *view)
{
    free(view->lines);
    memset(view, 0, sizeof(*view));
}
