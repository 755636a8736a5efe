#include "stats_map.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stats(const struct stats_file *f)
{
    return memcmp(f->magic, STATS_MAGIC, sizeof(f->magic)) == 0 && f->version == STATS_VERSION &&
           f->size == sizeof(*f);
}

/* A hole would be SIGBUS in somebody's process when the file system is full: allocate all of it. */
static const char *fill(int fd)
{
    struct stats_file head = {.magic = STATS_MAGIC, .version = STATS_VERSION, .size = sizeof(head)};
    int error = posix_fallocate(fd, 0, sizeof(head));
    if (error) {
        return strerror(error);
    }
    if (pwrite(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head)) {
        return strerror(errno);
    }
    return NULL;
}

static const char *check(int fd, const struct stat *st)
{
    struct stats_file head;
    if (!S_ISREG(st->st_mode)) {
        return "not a regular file";
    }
    if (st->st_size == 0) {
        return fill(fd);
    }
    if (st->st_size != (off_t)sizeof(head) || pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
        !is_stats(&head)) {
        return "exists and isn't a statistics file of this version; name another file";
    }
    return NULL;
}

bool stats_map_create(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || fstat(fd, &st) != 0) {
        fail("statistics file %s: %s", path, strerror(errno));
        return false;
    }
    const char *wrong = check(fd, &st);
    close(fd);
    if (wrong) {
        fail("statistics file %s: %s", path, wrong);
        return false;
    }
    return true;
}

/* The descriptor stays open in this process: the path leads through it. */
bool stats_memory_make(struct stats_memory *memory)
{
    const char *wrong = NULL;
    void *map = MAP_FAILED;
    int fd = memfd_create("hrtimeout", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0) {
        wrong = fill(fd);
        if (!wrong && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) {
            map = mmap(NULL, sizeof(struct stats_file), PROT_READ, MAP_SHARED, fd, 0);
        }
    }
    if (map == MAP_FAILED) {
        fail("can't make statistics in memory: %s", wrong ? wrong : strerror(errno));
        return false;
    }
    memory->map = map;
    memory->fd = fd;
    snprintf(memory->path, sizeof(memory->path), "/proc/%d/fd/%d", (int)getpid(), fd);
    return true;
}

void stats_memory_free(struct stats_memory *memory)
{
    munmap((void *)memory->map, sizeof(*memory->map));
    close(memory->fd);
}

const struct stats_file *stats_map_open(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) != 0) {
        fail("statistics file %s: %s", path, strerror(errno));
        return NULL;
    }
    void *map = MAP_FAILED;
    if (st.st_size == (off_t)sizeof(struct stats_file)) {
        map = mmap(NULL, sizeof(struct stats_file), PROT_READ, MAP_SHARED, fd, 0);
    }
    close(fd);
    if (map == MAP_FAILED || !is_stats(map)) {
        fail("statistics file %s: not one of this version", path);
        return NULL;
    }
    return map;
}
