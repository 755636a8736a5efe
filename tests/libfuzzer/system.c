/* Quotas and idle states. Parts: cgroup, mounts, cpu.max, a state's latency and its name. */
#include "explain.h"
#include "input.h"
#include "world.h"

#define STATE "/sys/devices/system/cpu/cpu0/cpuidle/state0/"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = {
        "/proc/self/cgroup",    "/proc/self/mounts",     "/cg/cpu.max",   "/cg/a/cpu.max",
        "/v1/cpu.cfs_quota_us", "/v1/cpu.cfs_period_us", STATE "latency", STATE "name"};
    static const struct render_column columns[5];
    struct input in = {data, size};
    struct grid facts = {.table = {.columns = columns, .column_count = 5}};
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        struct input part = take_part(&in);
        world_put(files[i], part.data, part.size);
    }
    world_begin();
    explain_quota(&facts);
    explain_idle(&facts);
    must(facts.table.row_count == 2);
    for (size_t i = 0; i < 2; i++) {
        must(facts.rows[i].cells[1].text && facts.rows[i].cells[2].text);
    }
    bool none = strcmp(facts.rows[0].cells[1].text, "none") == 0;
    must(none || facts.rows[0].cells[3].n < 10000000000);
    must(!none || facts.rows[0].cells[3].n == 0);
    world_end();
    return 0;
}
