#include "needed.h"

#include "grid.h"
#include "ld_cache.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where one library is looked for, on behalf of the program's class and machine. */
struct hunt {
    const struct elf_file *program;
    const char *name;
    const struct elf_file *found;
};

static bool try_path(const char *path, void *data)
{
    struct hunt *hunt = data;
    const char *wrong;
    struct elf_file *elf = elf_file_read(path, &wrong);
    if (elf && elf->bits == hunt->program->bits && elf->machine == hunt->program->machine) {
        hunt->found = elf;
    }
    return hunt->found != NULL;
}

static const char *lib_of(const struct elf_file *elf)
{
    switch (elf->machine) {
    case EM_X86_64:
        return "lib/x86_64-linux-gnu";
    case EM_386:
        return "lib/i386-linux-gnu";
    case EM_AARCH64:
        return "lib/aarch64-linux-gnu";
    default:
        return "lib";
    }
}

/* $ORIGIN and $LIB, in braces or not, replaced in a directory of a search path. */
static char *expand(const char *directory, size_t length, const struct elf_file *origin)
{
    static const char *const names[] = {"${ORIGIN}", "$ORIGIN", "${LIB}", "$LIB"};
    char path[PATH_MAX], *out = NULL;
    size_t size = 0;
    const char *slash = realpath(origin->path, path) ? strrchr(path, '/') : NULL;
    FILE *to = open_memstream(&out, &size);
    if (!to) {
        return text_of("%.*s", (int)length, directory);
    }
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (n < 4 && strncmp(directory + i, names[n], strlen(names[n])) != 0) {
            n++;
        }
        if (n == 4) {
            fputc(directory[i], to);
        } else if (n < 2) {
            fprintf(to, "%.*s", slash ? (int)(slash - path) : 0, path);
        } else {
            fputs(lib_of(origin), to);
        }
        i += n < 4 ? strlen(names[n]) : 1;
    }
    return fclose(to) == 0 ? out : text_of("%.*s", (int)length, directory);
}

/* A list of directories with colons (LD_LIBRARY_PATH takes semicolons too). */
static bool try_list(struct hunt *hunt, const char *list, const struct elf_file *origin)
{
    while (list && *list && !hunt->found) {
        size_t length = strcspn(list, ":;");
        char *directory = expand(list, length, origin);
        char *path = text_of("%s/%s", *directory ? directory : ".", hunt->name);
        try_path(path, hunt);
        free(path);
        free(directory);
        list += length + (list[length] != '\0');
    }
    return hunt->found != NULL;
}

/* DT_RPATH counts for what its libraries need as well, unless there is a DT_RUNPATH. */
static bool try_rpaths(struct hunt *hunt, const struct loaded *by)
{
    bool musl = hunt->program->libc == LIBC_MUSL;
    if (by->elf->runpath && !musl) {
        return false;
    }
    for (; by && !hunt->found; by = by->by) {
        const char *list = by->elf->runpath ? by->elf->runpath : by->elf->rpath;
        if (musl || !by->elf->runpath) {
            try_list(hunt, list, by->elf);
        }
    }
    return hunt->found != NULL;
}

static bool try_defaults(struct hunt *hunt)
{
    char *list = text_of("/%s:/usr/%s:/lib%s:/usr/lib%s:/lib:/usr/lib", lib_of(hunt->program),
                         lib_of(hunt->program), hunt->program->bits == 64 ? "64" : "32",
                         hunt->program->bits == 64 ? "64" : "32");
    try_list(hunt, list, hunt->program);
    free(list);
    return hunt->found != NULL;
}

/* musl has no cache: /etc/ld-musl-ARCH.path, or its three directories. libc is the loader. */
static void hunt_musl(struct hunt *hunt, const struct loaded *by)
{
    const char *interp = hunt->program->interp;
    char line[PATH_MAX] = "/lib:/usr/local/lib:/usr/lib";
    if (strcmp(hunt->name, "libc.so") == 0 || strncmp(hunt->name, "libc.musl", 9) == 0) {
        try_path(interp, hunt);
        return;
    }
    if (try_list(hunt, getenv("LD_LIBRARY_PATH"), hunt->program) || try_rpaths(hunt, by)) {
        return;
    }
    const char *name = strstr(interp, "ld-musl");
    char *path = text_of("/etc/%.*s.path", name ? (int)strcspn(name, ".") : 0, name ? name : "");
    FILE *file = fopen(path, "re");
    if (file) {
        size_t n = fread(line, 1, sizeof(line) - 1, file);
        line[n] = '\0';
        for (char *c = line; (c = strchr(c, '\n')); c++) {
            *c = ':';
        }
        fclose(file);
    }
    free(path);
    try_list(hunt, line, hunt->program);
}

static const struct elf_file *find(const struct elf_file *program, const struct loaded *by,
                                   const char *name)
{
    struct hunt hunt = {program, name, NULL};
    if (strchr(name, '/')) {
        try_path(name, &hunt);
    } else if (program->libc == LIBC_MUSL && program->interp) {
        hunt_musl(&hunt, by);
    } else if (!try_rpaths(&hunt, by) && !try_list(&hunt, getenv("LD_LIBRARY_PATH"), program) &&
               !try_list(&hunt, by->elf->runpath, by->elf) && !by->elf->no_cache &&
               !ld_cache_find(name, try_path, &hunt)) {
        try_defaults(&hunt);
    }
    return hunt.found;
}

/* By the name asked for, the file's own soname, or its path: loaded once. */
static bool is_loaded(const struct load_list *list, const char *name)
{
    for (size_t i = 1; i < list->count; i++) {
        const struct elf_file *elf = list->items[i]->elf;
        const char *base = strrchr(elf->path, '/');
        if (strcmp(elf->path, name) == 0 || (elf->soname && strcmp(elf->soname, name) == 0) ||
            (base && strcmp(base + 1, name) == 0)) {
            return true;
        }
    }
    return false;
}

static void add(struct load_list *list, const struct elf_file *elf, const struct loaded *by)
{
    struct loaded *item = malloc(sizeof(*item));
    if (item && list->count < MOST_LOADED) {
        *item = (struct loaded){elf, by};
        list->items[list->count++] = item;
    }
}

void needed_walk(const struct elf_file *program, struct load_list *list)
{
    list->count = 0;
    list->missing = NULL;
    add(list, program, NULL);
    for (size_t i = 0; i < list->count; i++) {
        for (char **name = list->items[i]->elf->needed; name && *name; name++) {
            if (is_loaded(list, *name)) {
                continue;
            }
            const struct elf_file *elf = find(program, list->items[i], *name);
            if (elf) {
                add(list, elf, list->items[i]);
            } else {
                list->missing = text_add(list->missing, *name);
            }
        }
    }
}
