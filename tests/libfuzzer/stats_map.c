/* The statistics file, as the command opens it and tells what it holds. */
#define HRTIMEOUT_STATS_READER
#include "stats_map.h"
#include "formats.h"
#include "report.h"
#include "stats_bytes.h"
#include "world.h"

/* The file as it is, and whether the command may take it for one of its own. */
struct before {
    size_t size;
    bool right;
    _Alignas(struct stats_file) char bytes[sizeof(struct stats_file) + 256];
};

static void look(int fd, struct before *file)
{
    struct stats_file *head = (struct stats_file *)file->bytes;
    ssize_t n = pread(fd, file->bytes, sizeof(file->bytes), 0);
    must(n >= 0);
    file->size = (size_t)n;
    file->right = file->size == sizeof(*head) && memcmp(head->magic, STATS_MAGIC, 8) == 0 &&
                  head->version == STATS_VERSION && head->size == sizeof(*head);
}

static char *reported(const struct stats_file *map, enum render_format format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    const struct report_about about = {.command = "/run/\"a\"\n.stats"};
    must(to != NULL);
    report(to, format, map, &about);
    fclose(to);
    return text;
}

static void tell(const struct stats_file *map)
{
    char *table = reported(map, RENDER_TABLE), *json = reported(map, RENDER_JSON),
         *metrics = reported(map, RENDER_OPENMETRICS);
    must(is_json(json));
    must(is_metrics(metrics));
    free(table);
    free(json);
    free(metrics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct before was, is;
    struct input in = {data, size};
    char path[64];
    bool empty = take_byte(&in) == 0;
    int fd = stats_bytes_file(&in, path);
    must(!empty || ftruncate(fd, 0) == 0);
    look(fd, &was);
    const struct stats_file *map = stats_map_open(path);
    must((map != NULL) == was.right);
    if (map) {
        tell(map);
        munmap((void *)map, sizeof(*map));
    }
    must(stats_map_create(path) == (was.right || was.size == 0));
    look(fd, &is);
    if (was.size == 0) {
        must(is.right);
    } else {
        must(is.size == was.size && memcmp(is.bytes, was.bytes, is.size) == 0);
    }
    close(fd);
    return 0;
}
