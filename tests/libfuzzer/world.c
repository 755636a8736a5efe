/*
 * What the command and the targets call in place of libc's functions of the same name without
 * "world_": world.symbols says which. The fuzzer's own calls stay libc's.
 */
#include "world.h"

#include "heap.h"
#include "input.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

static char root[PATH_MAX / 2];
static bool inside;

static void make_root(void)
{
    const char *base = getenv("TMPDIR");
    if (!root[0]) {
        snprintf(root, sizeof(root), "%s/libfuzzer.XXXXXX", base && *base == '/' ? base : "/tmp");
        must(mkdtemp(root) != NULL);
    }
}

void world_begin(void)
{
    make_root();
    inside = true;
    heap_begin();
}

void world_end(void)
{
    heap_end();
    inside = false;
}

static const char *lies_at(const char *path)
{
    static char buffers[4][PATH_MAX];
    static unsigned next;
    char *to = buffers[next++ % 4];
    int length = snprintf(to, PATH_MAX, "%s%s%s", root, *path == '/' ? "" : "/", path);
    return length < PATH_MAX ? to : path;
}

const char *world_path(const char *path)
{
    return inside && *path ? lies_at(path) : path;
}

int world_open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
    va_end(args);
    return open(world_path(path), flags, mode);
}

FILE *world_fopen(const char *path, const char *mode)
{
    return fopen(world_path(path), mode);
}

FILE *world_setmntent(const char *path, const char *mode)
{
    return setmntent(world_path(path), mode);
}

DIR *world_opendir(const char *path)
{
    return opendir(world_path(path));
}

int world_access(const char *path, int mode)
{
    return access(world_path(path), mode);
}

int world_stat(const char *path, struct stat *st)
{
    return stat(world_path(path), st);
}

int world_mkdir(const char *path, mode_t mode)
{
    return mkdir(world_path(path), mode);
}

int world_chmod(const char *path, mode_t mode)
{
    return chmod(world_path(path), mode);
}

int world_rename(const char *from, const char *to)
{
    return rename(world_path(from), world_path(to));
}

int world_unlink(const char *path)
{
    return unlink(world_path(path));
}

int world_rmdir(const char *path)
{
    return rmdir(world_path(path));
}

ssize_t world_getxattr(const char *path, const char *name, void *value, size_t size)
{
    return getxattr(world_path(path), name, value, size);
}

/* Disks aren't asked: they would make each input a hundred times slower. */
int world_fsync(int fd)
{
    return inside ? 0 : fsync(fd);
}

int world_mkostemp(char *path, int flags)
{
    char *at = (char *)world_path(path);
    int fd = mkostemp(at, flags);
    memcpy(path + strlen(path) - 6, at + strlen(at) - 6, 6);
    return fd;
}

/* The answer is a path of the world again. */
char *world_realpath(const char *path, char *to)
{
    char *found = realpath(world_path(path), to);
    size_t length = strlen(root);
    if (inside && found && strncmp(found, root, length) == 0) {
        memmove(found, found + length, strlen(found + length) + 1);
    }
    return found;
}

/* What is there is a control group's. */
int world_statfs(const char *path, struct statfs *fs)
{
    int result = statfs(world_path(path), fs);
    fs->f_type = inside ? CGROUP2_SUPER_MAGIC : fs->f_type;
    return result;
}

/* A program's output is the file /popen. */
FILE *world_popen(const char *command, const char *mode)
{
    (void)command;
    must(inside && *mode == 'r');
    return fopen(lies_at("/popen"), "r");
}

int world_pclose(FILE *file)
{
    return fclose(file);
}

static int open_anew(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
}

void world_put(const char *path, const void *bytes, size_t size)
{
    char at[PATH_MAX];
    make_root();
    snprintf(at, sizeof(at), "%s", lies_at(path));
    int fd = open_anew(at);
    for (char *slash = at; fd < 0 && (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        mkdir(at, 0755);
        *slash = '/';
    }
    fd = fd < 0 ? open_anew(at) : fd;
    must(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    close(fd);
}

char *world_get(const char *path, size_t *size)
{
    struct stat st;
    make_root();
    int fd = open(lies_at(path), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    must(fstat(fd, &st) == 0);
    *size = (size_t)st.st_size;
    char *bytes = malloc(*size + 1);
    must(bytes && read(fd, bytes, *size) == (ssize_t)*size);
    bytes[*size] = '\0';
    close(fd);
    return bytes;
}

void world_drop(const char *path)
{
    make_root();
    unlink(lies_at(path));
}
