/* The ELF reader of `hrtimeout check`: any bytes as a file. */
#include "elf_file.h"
#include "heap.h"
#include "input.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    const char *wrong = NULL;
    int fd = memfd_create("elf", 0);
    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    heap_begin();
    struct elf_file *elf = elf_file_read(path, &wrong);
    must(elf || wrong);
    if (elf) {
        must(elf->bits == 32 || elf->bits == 64);
        elf_machine(elf);
    }
    heap_end();
    close(fd);
    return 0;
}
