/* What systemctl says of a unit's control group. First line: the unit's name; then the answer. */
#include "../../cmd/slack.h"
#include "input.h"
#include "world.h"

#define ROOT "/sys/fs/cgroup"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    uint64_t id = 0;
    int depth = -1;
    world_put(ROOT "/a.slice/b.service/x", "", 0);
    world_begin();
    char *unit = take_line(&in);
    const struct slack_options o = {.unit = unit};
    world_put("/popen", in.data, in.size);
    if (slack_cgroup(&o, &id, &depth)) {
        must(id != 0 && depth >= 0 && depth <= 3);
        must(!strpbrk(unit, "'\"$`;& \n"));
    }
    world_end();
    return 0;
}
