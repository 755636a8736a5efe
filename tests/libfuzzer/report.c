/*
 * What the command makes of any counts: a table, JSON, OpenMetrics. The bytes: the records, and at
 * their end a line, the program's name.
 */
#include "report.h"
#include "formats.h"
#include "input.h"

#include <stdio.h>

static char *reported(const struct stats_file *counted, const struct report_about *about,
                      enum render_format format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    must(to != NULL);
    report(to, format, counted, about);
    fclose(to);
    must(strlen(text) == size);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stats_file counted;
    memset(&counted, 0, sizeof(counted));
    size_t at = size > 1 ? (size_t)data[0] * 128 % sizeof(counted) : 0;
    size_t fits = sizeof(counted) - at;
    memcpy((char *)&counted + at, data, size < fits ? size : fits);
    const char *end = memrchr(data, '\n', size);
    size_t length = end ? size - (size_t)(end + 1 - (const char *)data) : 0;
    char *name = strndup(end ? end + 1 : "", length);
    struct report_about about = {name, "timer", (int64_t)size << 40, 1};
    char *table = reported(&counted, &about, RENDER_TABLE);
    char *json = reported(&counted, &about, RENDER_JSON);
    char *metrics = reported(&counted, &about, RENDER_OPENMETRICS);
    must(is_plain_text(table));
    must(is_json(json));
    must(is_metrics(metrics));
    free(name);
    free(table);
    free(json);
    free(metrics);
    return 0;
}
