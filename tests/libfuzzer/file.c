/*
 * Any bytes as a program: scripts are followed, ELF files with their libraries. Parts: the program,
 * a library, the search path of musl's loader.
 */
#include "judged.h"
#include "needed.h"
#include "world.h"

#define PROGRAM "/bin/program"

static void needed(void)
{
    static struct load_list list;
    const char *wrong;
    const struct elf_file *program = elf_file_read(PROGRAM, &wrong);
    if (!program) {
        return;
    }
    needed_walk(program, &list);
    must(list.count >= 1 && list.count <= MOST_LOADED && list.items[0]->elf == program);
    for (size_t i = 0; i < list.count; i++) {
        must((list.items[i]->by == NULL) == (i == 0));
        must(list.items[i]->elf->bits == program->bits);
        must(list.items[i]->elf->machine == program->machine);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct judged judged;
    struct input program = take_part(&in), library = take_part(&in), path = take_part(&in);
    world_put(PROGRAM, program.data, program.size);
    world_put("/lib/libc.so.6", library.data, library.size);
    world_put("/bin/libc.so.6", library.data, library.size);
    world_put("/etc/ld-musl-x86_64.path", path.data, path.size);
    world_begin();
    judged_begin(&judged);
    judged_holds(&judged, check_file(&judged.tables, PROGRAM), true);
    judged_begin(&judged);
    judged_holds(&judged, check_file(&judged.tables, "program"), true);
    needed();
    world_end();
    return 0;
}
