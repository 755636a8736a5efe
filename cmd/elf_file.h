/* What one ELF file says about itself, read as the loader reads it: by program headers only. */
#ifndef HRTIMEOUT_ELF_FILE_H
#define HRTIMEOUT_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum elf_libc { LIBC_UNKNOWN, LIBC_GLIBC, LIBC_MUSL };

struct elf_file {
    char *path;
    int bits;      /* 32 or 64 */
    int machine;   /* EM_* */
    int type;      /* ET_* */
    char *interp;  /* PT_INTERP, or NULL */
    bool dynamic;  /* has a dynamic section */
    bool pie;      /* DF_1_PIE: a program although ET_DYN */
    bool no_cache; /* DF_1_NODEFLIB */
    bool go;       /* has a Go build id */
    char *soname, *rpath, *runpath;
    char **needed;      /* NULL-terminated */
    char **imports;     /* the wrapped functions that it imports, NULL-terminated */
    enum elf_libc libc; /* by what it needs and its interpreter */
};

/* NULL, and why in `wrong`: a file that can't be read or isn't ELF. Lives for ever. */
struct elf_file *elf_file_read(const char *path, const char **wrong);

/* "64-bit x86-64" */
const char *elf_machine(const struct elf_file *elf);

#endif
