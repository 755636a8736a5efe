/*
 * What the probe's maps may hold, shown in every format. The library's rows may have been written
 * by anybody; the kernel's have anybody's names. Bytes: a record after another.
 */
#include "../../cmd/slack.h"
#include "formats.h"
#include "input.h"
#include "world.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#define MOST 24

enum map { ROWS = 100, FINE, STATS, WAITS, WAITS_FINE, SAMPLES };

static struct {
    struct slack_key keys[MOST];
    struct slack_row rows[MOST];
    struct waits_row waits[MOST];
    uint64_t fine[2][MOST][HIST_SLOTS];
    struct slack_stats stats;
    size_t row_count, wait_count;
} maps;

static const struct slack_maps fds = {ROWS, FINE, STATS, WAITS, WAITS_FINE, SAMPLES, true};

/* In place of libbpf's. */
int bpf_map_get_next_key(int fd, const void *key, void *next)
{
    size_t i = 0;
    must(fd == ROWS);
    while (key && i < maps.row_count && memcmp(&maps.keys[i++], key, sizeof(*maps.keys)) != 0) {
    }
    if (i >= maps.row_count) {
        return -1;
    }
    memcpy(next, &maps.keys[i], sizeof(*maps.keys));
    return 0;
}

static int copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return 0;
}

int bpf_map_lookup_elem(int fd, const void *key, void *value)
{
    uint32_t index;
    memcpy(&index, key, sizeof(index));
    if (fd == STATS) {
        return copy(value, &maps.stats, sizeof(maps.stats));
    }
    if (fd == WAITS || fd == WAITS_FINE) {
        must(index < WAITS_ROWS);
        return index >= maps.wait_count ? -1
               : fd == WAITS            ? copy(value, &maps.waits[index], sizeof(*maps.waits))
                             : copy(value, maps.fine[1][index], sizeof(maps.fine[1][index]));
    }
    for (size_t i = 0; i < maps.row_count; i++) {
        if (memcmp(&maps.keys[i], key, sizeof(*maps.keys)) == 0) {
            return fd == ROWS ? copy(value, &maps.rows[i], sizeof(*maps.rows))
                              : copy(value, maps.fine[0][i], sizeof(maps.fine[0][i]));
        }
    }
    return -1;
}

static ring_buffer_sample_fn put_sample;
static void *put_context;

struct ring_buffer *ring_buffer__new(int map, ring_buffer_sample_fn put, void *context,
                                     const struct ring_buffer_opts *options)
{
    must(map == SAMPLES && !options);
    put_sample = put;
    put_context = context;
    return (struct ring_buffer *)&put_sample;
}

int ring_buffer__consume(struct ring_buffer *ring)
{
    (void)ring;
    for (size_t i = 0; i < maps.row_count; i++) {
        struct slack_sample sample = {.key = maps.keys[i], .late_ns = maps.rows[i].waits};
        put_sample(put_context, &sample, sizeof(sample));
        put_sample(put_context, &sample, sizeof(sample) - 1);
    }
    return (int)maps.row_count;
}

void ring_buffer__free(struct ring_buffer *ring)
{
    (void)ring;
}

bool slack_open_pinned(struct slack_maps *to)
{
    *to = fds;
    return true;
}

static void take_bytes(struct input *in, void *to, size_t size)
{
    size_t n = size < in->size ? size : in->size;
    memcpy(to, in->data, n);
    in->data += n;
    in->size -= n;
}

/* The probe writes calls that there are, and names that are zeros after their end. */
static void take_kernel_row(struct input *in)
{
    struct slack_key *key = &maps.keys[maps.row_count];
    struct slack_row *row = &maps.rows[maps.row_count];
    take_bytes(in, key->comm, SLACK_COMM - 1);
    size_t length = strlen(key->comm);
    memset(key->comm + length, 0, SLACK_COMM - length);
    unsigned kind = take_byte(in);
    key->tgid = kind & 3 ? take_byte(in) : 0;
    key->call = (enum stat_call)(take_byte(in) % CALL_COUNT);
    key->abi = kind & 4 ? COMPAT_32BIT : NATIVE;
    key->source = kind & 8 ? STAGE : KERNEL;
    row->waits = take_byte(in);
    row->late_max_ns = (uint32_t)take(in);
    row->late_sum_ns = row->waits * row->late_max_ns;
    row->parts.timer_slack_ns = row->late_sum_ns;
    maps.fine[0][maps.row_count][take_byte(in) % HIST_SLOTS] = row->waits;
    for (size_t i = 0; i < maps.row_count; i++) {
        if (memcmp(&maps.keys[i], key, sizeof(*key)) == 0) {
            memset(key, 0, sizeof(*key));
            return;
        }
    }
    maps.row_count++;
}

static void take_library_row(struct input *in)
{
    take_bytes(in, &maps.waits[maps.wait_count], sizeof(*maps.waits));
    for (unsigned i = take_byte(in) % 8; i; i--) {
        unsigned slot = take_byte(in) * 7 % HIST_SLOTS;
        maps.fine[1][maps.wait_count][slot] = (uint64_t)take(in);
    }
    maps.wait_count++;
}

static void take_maps(struct input *in)
{
    memset(&maps, 0, sizeof(maps));
    take_bytes(in, &maps.stats, 16);
    while (in->size && maps.row_count < MOST && maps.wait_count < MOST) {
        if (take_byte(in) % 2) {
            take_library_row(in);
        } else {
            take_kernel_row(in);
        }
    }
}

static void look(struct slack_view *view)
{
    static const struct slack_options all = {.all = true, .stages = true};
    must(slack_look(&fds, &all, view));
    for (size_t i = 0; i < view->count; i++) {
        must(view->lines[i].key.call < CALL_COUNT);
        must(strnlen(view->lines[i].key.comm, SLACK_COMM) < SLACK_COMM);
    }
}

static void show(enum render_format format)
{
    char *text = NULL;
    size_t size = 0;
    struct slack_view view;
    FILE *to = open_memstream(&text, &size);
    must(to != NULL);
    look(&view);
    slack_show(to, format, &view);
    fclose(to);
    must(format != RENDER_JSON || is_json(text));
    must(format != RENDER_OPENMETRICS || is_metrics(text));
    must(format != RENDER_TABLE || is_plain_text(text));
    free(text);
    slack_free(&view);
}

/* The older format: counters under their full names, no units, no end mark. */
static void textfile(void)
{
    size_t size = 0;
    struct slack_view view;
    look(&view);
    must(slack_textfile("/prom", &view));
    char *text = world_get("/prom/hrtimeout.prom", &size), *rest = text, *line;
    must(text && strlen(text) == size && is_metrics(text));
    while ((line = strsep(&rest, "\n"))) {
        size_t length = strlen(line);
        must(strncmp(line, "# UNIT", 6) != 0 && strncmp(line, "# EOF", 5) != 0);
        must(length < 14 || strcmp(line + length - 8, " counter") != 0 || *line != '#' ||
             strncmp(line + length - 14, "_total counter", 14) == 0);
    }
    free(text);
    slack_free(&view);
}

/* Eleven fields a line; quotes inside the last are doubled. */
static void samples(void)
{
    size_t size = 0, lines = 0;
    struct slack_samples *to = slack_samples_open("/samples.csv", SAMPLES);
    must(to != NULL);
    slack_samples_drain(to);
    must(slack_samples_close(to));
    char *text = world_get("/samples.csv", &size), *p = text;
    must(p && strlen(text) == size);
    for (; *p; lines++) {
        for (int field = 0; field < 10; field++) {
            p += strcspn(p, ",\"\n");
            must(*p++ == ',');
        }
        if (*p == '"') {
            for (p++; *p && (*p != '"' || p[1] == '"'); p += *p == '"' ? 2 : 1) {
            }
            must(*p++ == '"');
        } else {
            must(lines == 0);
            p += strcspn(p, "\n");
        }
        must(*p++ == '\n');
    }
    must(lines == maps.row_count + 1);
    free(text);
}

/* A line a key. Taken off themselves nothing is left; by name no wait gets lost. */
static void arithmetic(void)
{
    struct slack_view view, before;
    uint64_t sum = 0, by_name = 0;
    look(&view);
    look(&before);
    for (size_t i = 0; i < view.count; i++) {
        sum += view.lines[i].waits;
    }
    slack_by_name(&view);
    for (size_t i = 0; i < view.count; i++) {
        by_name += view.lines[i].waits;
    }
    must(sum == by_name);
    slack_free(&view);
    look(&view);
    slack_since(&view, &before);
    must(view.count == 0);
    slack_free(&view);
    slack_free(&before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    take_maps(&in);
    world_put("/prom/here", "", 0);
    world_begin();
    show(RENDER_TABLE);
    show(RENDER_JSON);
    show(RENDER_OPENMETRICS);
    textfile();
    samples();
    arithmetic();
    world_end();
    return 0;
}
