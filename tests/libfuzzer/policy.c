/* The settings: pairs of lines, a name and a value; then what must hold of any policy. */
#include "policy.h"
#include "input.h"

static void holds(const struct policy *p)
{
    must(p->mode == MODE_OBSERVE || p->mode == MODE_TIMER || p->mode == MODE_EXACT);
    must(p->writeback >= WRITEBACK_LIBC && p->writeback <= WRITEBACK_NONE);
    must(p->sandbox >= SANDBOX_AUTO && p->sandbox <= SANDBOX_SAME);
    must(p->clock == CLOCK_MONOTONIC || p->clock == CLOCK_BOOTTIME);
    must(p->slack >= SLACK_KEEP);
    must(p->cpu >= 1 && p->cpu <= 100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    struct policy p = {.mode = MODE_TIMER, .clock = CLOCK_MONOTONIC, .cpu = 5};
    char *kept[64];
    size_t lines = 0;
    while (in.size && lines < 64) {
        kept[lines] = take_line(&in);
        kept[lines + 1] = take_line(&in);
        struct policy before = p;
        if (!policy_set(&p, kept[lines], kept[lines + 1])) {
            must(memcmp(&before, &p, sizeof(p)) == 0);
        } else {
            must(policy_takes(kept[lines]) != NULL);
        }
        holds(&p);
        policy_lists(kept[lines + 1], kept[lines]);
        if (p.only) {
            policy_lists(p.only, "/usr/bin/program");
        }
        lines += 2;
    }
    while (lines) {
        free(kept[--lines]);
    }
    return 0;
}
