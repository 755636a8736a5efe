/* What attach remembers of a process: its file read, written and read again. */
#include "attach_state.h"
#include "input.h"
#include "world.h"

#define PID     4242
#define STARTED "4242 (a ) b) S 1 4242 4242 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 777 1 2\n"

static void same(const struct attach_state *a, const struct attach_state *b)
{
    must(a->pid == b->pid && a->set == b->set && a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        must(a->threads[i].tid == b->threads[i].tid && a->threads[i].slack == b->threads[i].slack);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct attach_state state, again;
    world_put("/proc/4242/stat", STARTED, sizeof(STARTED) - 1);
    world_put("/4242", data, size);
    world_begin();
    attach_state_read(&state, PID);
    must(state.count == 0 || (size > 4 && memmem(data, size, "777", 3)));
    for (size_t i = 0; i < state.count; i++) {
        const struct attach_thread *found = attach_state_find(&state, state.threads[i].tid);
        must(found && found <= &state.threads[i]);
    }
    must(attach_state_write("attach", &state));
    attach_state_read(&again, PID);
    same(&state, &again);
    attach_state_remove(PID);
    attach_state_read(&again, PID);
    must(again.count == 0 && again.set == 0);
    world_end();
    return 0;
}
