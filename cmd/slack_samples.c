/* Every single wait that ended by timeout, as comma-separated values. */
#include "command.h"
#include "slack.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct slack_samples {
    FILE *to;
    struct ring_buffer *ring;
};

static int put(void *context, void *data, size_t size)
{
    struct slack_samples *samples = context;
    const struct slack_sample *s = data;
    if (size < sizeof(*s)) {
        return 0;
    }
    fprintf(samples->to,
            "%" PRIu32 ",%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",\"",
            s->key.tgid, s->tid, slack_call_name(s->key.call),
            s->key.source == STAGE ? "stage" : "kernel", s->deadline_ns, s->late_ns,
            s->parts.timer_slack_ns, s->parts.interrupt_ns, s->parts.run_queue_ns,
            s->parts.return_ns);
    for (const char *c = s->key.comm; *c && c < s->key.comm + SLACK_COMM; c++) {
        fputs(*c == '"' ? "\"" : "", samples->to);
        fputc(*c, samples->to);
    }
    fputs("\"\n", samples->to);
    return 0;
}

struct slack_samples *slack_samples_open(const char *path, int map)
{
    struct slack_samples *samples = calloc(1, sizeof(*samples));
    if (!samples) {
        fail("slack: out of memory");
        return NULL;
    }
    samples->to = fopen(path, "we");
    samples->ring = samples->to ? ring_buffer__new(map, put, samples, NULL) : NULL;
    if (!samples->ring) {
        fail("slack: can't write samples to %s: %s", path, strerror(errno));
        free(samples);
        return NULL;
    }
    fputs("tgid,tid,call,source,deadline_ns,late_ns,timer_slack_ns,interrupt_ns,run_queue_ns,"
          "return_ns,comm\n",
          samples->to);
    return samples;
}

void slack_samples_drain(struct slack_samples *samples)
{
    if (samples) {
        ring_buffer__consume(samples->ring);
    }
}

bool slack_samples_close(struct slack_samples *samples)
{
    ring_buffer__free(samples->ring);
    bool whole = !ferror(samples->to);
    whole = fclose(samples->to) == 0 && whole;
    free(samples);
    if (!whole) {
        fail("slack: the samples couldn't all be written: %s", strerror(errno));
    }
    return whole;
}
