/* A running process, by what /proc says of it. Parts: maps, auxv, status. */
#include "judged.h"
#include "world.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PID 4242

/* The process's root holds the programs and libraries of the ELF reader's corpus. */
static void make_process(void)
{
    char corpus[PATH_MAX];
    must(realpath("tests/libfuzzer/corpus/elf", corpus) != NULL);
    world_put("/proc/4242/comm", "a\n", 2);
    world_put("/proc/4242/task/4242/comm", "a\n", 2);
    world_put("/proc/4242/timerslack_ns", "50000\n", 6);
    world_put("/proc/4242/stat", "4242 (a) S", 10);
    world_begin();
    char *root = strdup(world_path("/proc/4242/root")), *exe = strdup(world_path("/proc/4242/exe"));
    world_end();
    must(symlink(corpus, root) == 0);
    strcat(corpus, "/pie");
    must(symlink(corpus, exe) == 0);
    free(root);
    free(exe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    struct input in = {data, size};
    struct judged judged;
    if (!made) {
        make_process();
        made = true;
    }
    struct input maps = take_part(&in), auxv = take_part(&in), status = take_part(&in);
    world_put("/proc/4242/maps", maps.data, maps.size);
    world_put("/proc/4242/auxv", auxv.data, auxv.size);
    world_put("/proc/4242/status", status.data, status.size);
    world_begin();
    judged_begin(&judged);
    enum reach reach = check_process(&judged.tables, PID, true);
    judged_holds(&judged, reach, true);
    must(reach != LOADED || memmem(maps.data, maps.size, "/libhrtimeout.so", 16));
    must(judged.threads.table.row_count == 1 && judged.threads.rows[0].cells[3].n == 50000);
    world_end();
    return 0;
}
