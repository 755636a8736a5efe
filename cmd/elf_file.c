#include "elf_file.h"

#include "grid.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef DF_1_PIE
#define DF_1_PIE 0x08000000
#endif

/* Every name that the library exports for any width, but for prctl: that isn't a wait. */
#undef __TIMESIZE
#define __TIMESIZE 32
static const char *const wrapped[] = {
#define WRAP(name, glibc) #name,
#define ALIAS(name, of)   #name,
#include "symbols.h"
#undef WRAP
#undef ALIAS
};
#define WRAPPED (sizeof(wrapped) / sizeof(*wrapped))

/* An open file and the parts of its dynamic section that are looked up by address. */
struct reader {
    Elf *elf;
    GElf_Addr strings, symbols, hash, gnu_hash;
    GElf_Xword string_size;
};

/* The file's bytes at an address, as the loader would map them. NULL when they aren't in it. */
static Elf_Data *at_address(const struct reader *r, GElf_Addr address, size_t size, Elf_Type type)
{
    GElf_Phdr phdr;
    size_t count = 0;
    elf_getphdrnum(r->elf, &count);
    for (size_t i = 0; i < count; i++) {
        if (gelf_getphdr(r->elf, (int)i, &phdr) && phdr.p_type == PT_LOAD &&
            address >= phdr.p_vaddr && address - phdr.p_vaddr < phdr.p_filesz &&
            size <= phdr.p_filesz - (address - phdr.p_vaddr)) {
            return elf_getdata_rawchunk(r->elf, (int64_t)(phdr.p_offset + (address - phdr.p_vaddr)),
                                        size, type);
        }
    }
    return NULL;
}

/* Up to its end or the data's: more than an int's worth of it may come. */
static char *text_in(const Elf_Data *data, size_t offset)
{
    char *text = strndup((const char *)data->d_buf + offset, data->d_size - offset);
    return text ? text : text_of("?");
}

static char *string_at(const struct reader *r, GElf_Xword offset)
{
    Elf_Data *data = at_address(r, r->strings, r->string_size, ELF_T_BYTE);
    if (!data || offset >= data->d_size) {
        return text_of("?");
    }
    return text_in(data, offset);
}

static char **list_add(char **list, char *word)
{
    size_t n = 0;
    while (list && list[n]) {
        n++;
    }
    char **longer = realloc(list, (n + 2) * sizeof(*list));
    if (!longer) {
        free(word);
        return list;
    }
    longer[n] = word;
    longer[n + 1] = NULL;
    return longer;
}

/* Undefined symbols: all in front of those that the GNU hash table holds, else DT_HASH counts. */
static size_t symbol_count(const struct reader *r)
{
    Elf_Data *data = r->gnu_hash ? at_address(r, r->gnu_hash, 8, ELF_T_WORD) : NULL;
    if (!data && r->hash) {
        data = at_address(r, r->hash, 8, ELF_T_WORD);
    }
    return data ? ((const uint32_t *)data->d_buf)[1] : 0;
}

static void read_imports(const struct reader *r, struct elf_file *file)
{
    size_t count = symbol_count(r);
    size_t each = gelf_fsize(r->elf, ELF_T_SYM, 1, EV_CURRENT);
    Elf_Data *data =
        count && count < 1 << 24 ? at_address(r, r->symbols, count * each, ELF_T_SYM) : NULL;
    GElf_Sym symbol;
    for (size_t i = 0; data && i < count; i++) {
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF) {
            continue;
        }
        char *name = string_at(r, symbol.st_name);
        bool found = false;
        for (size_t w = 0; w < WRAPPED && !found; w++) {
            found = strcmp(name, wrapped[w]) == 0 && !strstr(name, "prctl");
        }
        if (found) {
            file->imports = list_add(file->imports, name);
        } else {
            free(name);
        }
    }
}

static void read_dynamic(struct reader *r, struct elf_file *file, const GElf_Phdr *phdr)
{
    GElf_Dyn dyn;
    Elf_Data *data =
        elf_getdata_rawchunk(r->elf, (int64_t)phdr->p_offset, phdr->p_filesz, ELF_T_DYN);
    file->dynamic = data != NULL;
    for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
        r->strings = dyn.d_tag == DT_STRTAB ? dyn.d_un.d_ptr : r->strings;
        r->string_size = dyn.d_tag == DT_STRSZ ? dyn.d_un.d_val : r->string_size;
        r->symbols = dyn.d_tag == DT_SYMTAB ? dyn.d_un.d_ptr : r->symbols;
        r->hash = dyn.d_tag == DT_HASH ? dyn.d_un.d_ptr : r->hash;
        r->gnu_hash = dyn.d_tag == DT_GNU_HASH ? dyn.d_un.d_ptr : r->gnu_hash;
        if (dyn.d_tag == DT_FLAGS_1) {
            file->pie = (dyn.d_un.d_val & DF_1_PIE) != 0;
            file->no_cache = (dyn.d_un.d_val & DF_1_NODEFLIB) != 0;
        }
    }
    for (int i = 0; data && gelf_getdyn(data, i, &dyn) && dyn.d_tag != DT_NULL; i++) {
        if (dyn.d_tag == DT_NEEDED) {
            file->needed = list_add(file->needed, string_at(r, dyn.d_un.d_val));
        } else if (dyn.d_tag == DT_RPATH) {
            file->rpath = string_at(r, dyn.d_un.d_val);
        } else if (dyn.d_tag == DT_RUNPATH) {
            file->runpath = string_at(r, dyn.d_un.d_val);
        } else if (dyn.d_tag == DT_SONAME) {
            file->soname = string_at(r, dyn.d_un.d_val);
        }
    }
    read_imports(r, file);
}

/* Go's linker leaves a note with this owner even in stripped programs. */
static bool is_go_note(const struct reader *r, const GElf_Phdr *phdr)
{
    Elf_Data *data =
        elf_getdata_rawchunk(r->elf, (int64_t)phdr->p_offset, phdr->p_filesz, ELF_T_NHDR);
    GElf_Nhdr note;
    size_t name, desc, at = 0;
    while (data && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
        if (note.n_namesz == 4 && memcmp((const char *)data->d_buf + name, "Go\0", 4) == 0) {
            return true;
        }
    }
    return false;
}

static void read_headers(struct reader *r, struct elf_file *file)
{
    GElf_Phdr phdr;
    size_t count = 0;
    elf_getphdrnum(r->elf, &count);
    for (size_t i = 0; i < count && gelf_getphdr(r->elf, (int)i, &phdr); i++) {
        if (phdr.p_type == PT_INTERP) {
            Elf_Data *data =
                elf_getdata_rawchunk(r->elf, (int64_t)phdr.p_offset, phdr.p_filesz, ELF_T_BYTE);
            file->interp = data && data->d_size ? text_in(data, 0) : NULL;
        } else if (phdr.p_type == PT_DYNAMIC) {
            read_dynamic(r, file, &phdr);
        } else if (phdr.p_type == PT_NOTE) {
            file->go |= is_go_note(r, &phdr);
        }
    }
}

static enum elf_libc libc_of(const struct elf_file *file)
{
    if (file->interp && strstr(file->interp, "ld-musl")) {
        return LIBC_MUSL;
    }
    for (char **n = file->needed; n && *n; n++) {
        if (strncmp(*n, "libc.musl", 9) == 0 || strcmp(*n, "libc.so") == 0) {
            return LIBC_MUSL;
        }
        if (strcmp(*n, "libc.so.6") == 0) {
            return LIBC_GLIBC;
        }
    }
    return file->interp && strstr(file->interp, "/ld-linux") ? LIBC_GLIBC : LIBC_UNKNOWN;
}

/*
 * Names come from files that anybody may have written: a FIFO would hold us for ever, and some
 * devices do something when they are opened.
 */
static int open_regular(const char *path, const char **wrong)
{
    struct stat st;
    bool there = stat(path, &st) == 0;
    if (there && !S_ISREG(st.st_mode)) {
        *wrong = "not a regular file";
        return -1;
    }
    int fd = there ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (fd < 0) {
        *wrong = strerror(errno);
    }
    return fd;
}

struct elf_file *elf_file_read(const char *path, const char **wrong)
{
    struct reader r = {0};
    GElf_Ehdr ehdr;
    struct elf_file *file = NULL;
    int fd = open_regular(path, wrong);
    if (fd < 0) {
        return NULL;
    }
    *wrong = "not an ELF file";
    elf_version(EV_CURRENT);
    r.elf = elf_begin(fd, ELF_C_READ, NULL);
    if (r.elf && elf_kind(r.elf) == ELF_K_ELF && gelf_getehdr(r.elf, &ehdr) &&
        (file = calloc(1, sizeof(*file)))) {
        file->path = text_of("%s", path);
        file->bits = gelf_getclass(r.elf) == ELFCLASS64 ? 64 : 32;
        file->machine = ehdr.e_machine;
        file->type = ehdr.e_type;
        read_headers(&r, file);
        file->libc = libc_of(file);
    }
    elf_end(r.elf);
    close(fd);
    return file;
}

const char *elf_machine(const struct elf_file *elf)
{
    static const struct {
        int machine;
        const char *name;
    } machines[] = {{EM_X86_64, "x86-64"}, {EM_386, "x86"},      {EM_AARCH64, "arm64"},
                    {EM_ARM, "arm"},       {EM_RISCV, "RISC-V"}, {EM_PPC64, "ppc64"},
                    {EM_S390, "s390"}};
    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        if (machines[i].machine == elf->machine) {
            return text_of("%d-bit %s", elf->bits, machines[i].name);
        }
    }
    return text_of("%d-bit machine %d", elf->bits, elf->machine);
}
