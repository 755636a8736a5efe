/*
 * A statistics file from a fuzzer's bytes: how much its size is off, where the rest is laid over a
 * file that is right.
 */
#ifndef LIBFUZZER_STATS_BYTES_H
#define LIBFUZZER_STATS_BYTES_H

#include "input.h"
#include "stats.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static inline int stats_bytes_file(struct input *in, char path[64])
{
    static const struct stats_file right = {
        .magic = STATS_MAGIC, .version = STATS_VERSION, .size = sizeof(struct stats_file)};
    size_t size = sizeof(right), at = 0;
    int fd = memfd_create("stats", 0);
    if (in->size > 2) {
        size += (size_t)(int8_t)in->data[0];
        at = in->data[1];
        in->data += 2;
        in->size -= 2;
    }
    must(fd >= 0 && pwrite(fd, &right, sizeof(right), 0) == (ssize_t)sizeof(right));
    must(pwrite(fd, in->data, in->size, (off_t)at) == (ssize_t)in->size);
    must(ftruncate(fd, (off_t)size) == 0);
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
