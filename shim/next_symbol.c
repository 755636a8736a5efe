#include "next_symbol.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A version that isn't the default one: for binaries linked long ago. */
#define VERSION_HIDDEN 0x8000

struct symbols {
    const ElfW(Sym) * table;
    const char *names;
    const uint32_t *hash;
    const uint16_t *versions;
};

struct search {
    const char *name;
    uint32_t hash;
    bool behind_us;
    void *found;
};

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash;
}

/* The loader has turned these into addresses, except in objects it can't write to. */
static const void *address(const struct dl_phdr_info *object, ElfW(Addr) value)
{
    return (const void *)(value < object->dlpi_addr ? value + object->dlpi_addr : value);
}

static struct symbols symbols_of(const struct dl_phdr_info *object, const ElfW(Dyn) * entry)
{
    struct symbols symbols = {0};
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *value = address(object, entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB) {
            symbols.table = value;
        } else if (entry->d_tag == DT_STRTAB) {
            symbols.names = value;
        } else if (entry->d_tag == DT_GNU_HASH) {
            symbols.hash = value;
        } else if (entry->d_tag == DT_VERSYM) {
            symbols.versions = value;
        }
    }
    return symbols;
}

/* Of the hash table only buckets and chains are used: the filter before them saves time, no more.
 */
static const ElfW(Sym) * look_in(const struct symbols *symbols, const struct search *search)
{
    uint32_t bucket_count = symbols->hash[0];
    uint32_t first = symbols->hash[1];
    const ElfW(Addr) *filter = (const ElfW(Addr) *)(symbols->hash + 4);
    const uint32_t *buckets = (const uint32_t *)(filter + symbols->hash[2]);
    const uint32_t *chain = buckets + bucket_count;
    uint32_t i = bucket_count ? buckets[search->hash % bucket_count] : 0;
    for (bool last = i < first; !last; i++) {
        const ElfW(Sym) *symbol = &symbols->table[i];
        last = chain[i - first] & 1;
        if ((chain[i - first] | 1) == (search->hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            !(symbols->versions && symbols->versions[i] & VERSION_HIDDEN) &&
            strcmp(symbols->names + symbol->st_name, search->name) == 0) {
            return symbol;
        }
    }
    return NULL;
}

static int visit(struct dl_phdr_info *object, size_t size, void *arg)
{
    struct search *search = arg;
    const ElfW(Dyn) *dynamic = NULL;
    bool ours = false;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        ElfW(Addr) start = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC) {
            dynamic = (const ElfW(Dyn) *)start;
        } else if (segment->p_type == PT_LOAD) {
            ours = ours || (ElfW(Addr))visit - start < segment->p_memsz;
        }
    }
    if (!search->behind_us || !dynamic) {
        search->behind_us = search->behind_us || ours;
        return 0;
    }
    struct symbols symbols = symbols_of(object, dynamic);
    const ElfW(Sym) *symbol =
        symbols.hash && symbols.table && symbols.names ? look_in(&symbols, search) : NULL;
    search->found = symbol ? (void *)(object->dlpi_addr + symbol->st_value) : NULL;
    return symbol != NULL;
}

void *next_symbol(const char *name)
{
    struct search search = {.name = name, .hash = hash_of(name)};
    dl_iterate_phdr(visit, &search);
    return search.found;
}
