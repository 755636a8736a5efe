/* Whether the library reaches a program, and why not. */
#ifndef HRTIMEOUT_CHECK_H
#define HRTIMEOUT_CHECK_H

#include "elf_file.h"
#include "grid.h"

#include <sys/types.h>

enum reach {
    REACHED,  /* its waits go through the library */
    LOADED,   /* a process that has the library already */
    NO_WAITS, /* loads the library, but imports none of the functions */
    NOT_REACHED,
    UNREADABLE /* can't be told */
};

/* One row of the answer. Strings may be NULL. */
struct checked {
    enum reach reach;
    char *kind;  /* "64-bit x86-64, glibc" */
    char *waits; /* the wrapped functions imported, with commas */
    char *why;   /* reasons and remarks, with semicolons */
    bool harmed; /* preloading would do harm: a message from the loader, or no start at all */
};

/* The tables that check prints, the same in text and JSON. */
struct check_tables {
    struct grid *checked, *imports, *threads;
};

void check_init(struct check_tables *tables);

/*
 * Adds rows for a file or a process. What its answer is, for the exit code: UNREADABLE after a
 * message instead of rows; one that wasn't `named` by the user has a row even so.
 */
enum reach check_file(struct check_tables *tables, const char *name);
enum reach check_process(struct check_tables *tables, pid_t pid, bool named);

/* The judgement of check_file() alone, of a command that execvp() would find, for its start. */
void check_command(struct checked *checked, const char *command);

/* Adds a remark to the reasons; a worse reach wins. */
void check_because(struct checked *checked, enum reach reach, const char *why);

/* The part of check_file() that judges one program: `libraries` are already known to be loaded. */
void check_elf(struct checked *checked, const struct elf_file *program,
               const struct elf_file *const *libraries, size_t count);
/* Set-uid and the like. */
void check_privileges(struct checked *checked, const char *path);
/* Who imports what, as rows. `name` is what the user asked for. */
void check_imports(struct check_tables *tables, const char *name, struct checked *checked,
                   const struct elf_file *const *objects, size_t count);
/* The row itself. `threads` is NULL for a file. */
void check_row(struct check_tables *tables, const char *name, const char *pid, const char *slack,
               const struct checked *checked);

#endif
