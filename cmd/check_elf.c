/* Judges a program by its ELF files. */
#include "check.h"

#include "launch.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

void check_because(struct checked *checked, enum reach reach, const char *why)
{
    if (reach > checked->reach) {
        checked->reach = reach;
    }
    checked->why = checked->why ? text_of("%s; %s", checked->why, why) : text_of("%s", why);
}

static const char *libc_name(enum elf_libc libc)
{
    static const char *const names[] = {"no known libc", "glibc", "musl"};
    return names[libc];
}

/*
 * The installed library for this class and machine, $LIB tried as the loaders of the common
 * distributions fill it in. NULL: there is none.
 */
static const struct elf_file *library_for(const struct elf_file *program)
{
    static const char *const libs[] = {"lib",
                                       "lib64",
                                       "lib32",
                                       "lib/x86_64-linux-gnu",
                                       "lib/i386-linux-gnu",
                                       "lib/aarch64-linux-gnu",
                                       "lib/arm-linux-gnueabihf"};
    char path[PATH_MAX];
    const char *wrong;
    if (!launch_library(path, sizeof(path))) {
        return NULL;
    }
    char *lib = strstr(path, "$LIB");
    for (size_t i = 0; i < (lib ? sizeof(libs) / sizeof(*libs) : 1); i++) {
        char *name = lib ? text_of("%.*s%s%s", (int)(lib - path), path, libs[i], lib + 4)
                         : text_of("%s", path);
        struct elf_file *elf = elf_file_read(name, &wrong);
        if (elf && elf->bits == program->bits && elf->machine == program->machine) {
            return elf;
        }
    }
    return NULL;
}

static void judge_library(struct checked *checked, const struct elf_file *program)
{
    const struct elf_file *library = library_for(program);
    enum reach before = checked->reach;
    if (!library) {
        check_because(checked, NOT_REACHED,
                      text_of("no %s hrtimeout library is installed", elf_machine(program)));
    } else if (program->libc != LIBC_UNKNOWN && library->libc != LIBC_UNKNOWN &&
               program->libc != library->libc) {
        check_because(checked, NOT_REACHED,
                      text_of("runs on %s, the installed library on %s", libc_name(program->libc),
                              libc_name(library->libc)));
    }
    checked->harmed |= checked->reach != before;
}

/* gcc's sanitizer is a library that insists on coming first; clang's is inside the program. */
static bool needs_asan(const struct elf_file *program)
{
    for (char **n = program->needed; n && *n; n++) {
        if (strncmp(*n, "libasan.so", 10) == 0) {
            return true;
        }
    }
    return false;
}

static bool any_imports(const struct elf_file *const *objects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (objects[i]->imports) {
            return true;
        }
    }
    return false;
}

void check_elf(struct checked *checked, const struct elf_file *program,
               const struct elf_file *const *objects, size_t count)
{
    bool is_static = !program->interp && (program->type == ET_EXEC || program->pie);
    bool is_program = program->interp || is_static;
    checked->kind = program->libc == LIBC_UNKNOWN
                        ? text_of("%s%s", elf_machine(program), is_static ? ", static" : "")
                        : text_of("%s, %s", elf_machine(program), libc_name(program->libc));
    if (program->type != ET_EXEC && program->type != ET_DYN) {
        check_because(checked, NOT_REACHED, "neither a program nor a library");
        return;
    }
    if (program->go && (is_static || !any_imports(objects, count))) {
        check_because(checked, NOT_REACHED,
                      "Go: makes its own system calls; only its timer slack can be set");
        return;
    }
    if (is_static) {
        check_because(checked, NOT_REACHED,
                      "static: no loader runs that could load the library; only its timer slack "
                      "can be set");
        return;
    }
    judge_library(checked, program);
    if (program->go) {
        check_because(checked, REACHED, "Go: only its C parts, Go makes its own system calls");
    }
    if (needs_asan(program)) {
        checked->harmed = true;
        check_because(checked, NOT_REACHED,
                      "gcc's AddressSanitizer ends programs that preload anything before it: put "
                      "libasan.so first in LD_PRELOAD");
    }
    if (!is_program) {
        check_because(checked, REACHED, "a library: reached in programs that load hrtimeout's");
    }
    if (checked->reach < NO_WAITS && !any_imports(objects, count)) {
        check_because(checked, NO_WAITS,
                      "it imports none of the functions taken over; programs that it starts are "
                      "reached");
    }
}

void check_privileges(struct checked *checked, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        return;
    }
    bool set_uid = (st.st_mode & S_ISUID) != 0;
    bool set_gid = (st.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    bool capable = getxattr(path, "security.capability", NULL, 0) > 0;
    if (set_uid || set_gid || capable) {
        check_because(checked, NOT_REACHED,
                      text_of("%s: the loader keeps preloaded libraries out when it runs with "
                              "more rights than its caller has",
                              set_uid   ? "set-uid"
                              : set_gid ? "set-gid"
                                        : "file capabilities"));
    }
}

void check_imports(struct check_tables *tables, const char *name, struct checked *checked,
                   const struct elf_file *const *objects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *functions = NULL;
        for (char **f = objects[i]->imports; f && *f; f++) {
            functions = text_add(functions, *f);
            checked->waits = text_add(checked->waits, *f);
        }
        if (functions) {
            struct render_cell *cells = grid_row(tables->imports);
            cells[0].text = name;
            cells[1].text = objects[i]->path;
            cells[2].text = functions;
        }
    }
}
