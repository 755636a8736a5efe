/*
 * The settings as options of a command, and what becomes of them in the environment. Lines: the
 * LD_PRELOAD that is there, then an argument each.
 */
#include "input.h"
#include "launch.h"
#include "policy.h"
#include "world.h"

#include <argp.h>
#include <stdio.h>

#define LIBRARY "/usr/lib/libhrtimeout.so"
#define MOST    32

/* Ours is first and nowhere else; the others are there in their order. */
static void preload(const char *old)
{
    char *list = launch_preload(LIBRARY, old), *again = launch_preload(LIBRARY, list);
    char *other = launch_preload("/opt/libhrtimeout.so", old);
    must(strncmp(list, LIBRARY, strlen(LIBRARY)) == 0);
    must(strcmp(list, again) == 0);
    must(strcmp(list + strlen(LIBRARY), other + strlen("/opt/libhrtimeout.so")) == 0);
    const char *at = list + strlen(LIBRARY);
    while (*old) {
        size_t length = strcspn(old, ": ");
        const char *slash = memrchr(old, '/', length), *base = slash ? slash + 1 : old;
        bool ours = length - (size_t)(base - old) == 15 && memcmp(base, "libhrtimeout.so", 15) == 0;
        if (length && !ours) {
            must(*at == ':' && strncmp(at + 1, old, length) == 0);
            at += length + 1;
        }
        old += length + (old[length] != '\0');
    }
    must(!*at);
}

/* What was taken as an option the library takes from the environment, without a fault. */
static void settings(int argc, char **argv)
{
    struct launch launch = {0};
    struct policy policy;
    int rest = 0;
    clearenv();
    bool good =
        argp_parse(&launch_argp, argc, argv, ARGP_SILENT | ARGP_IN_ORDER, &rest, &launch) == 0;
    policy_read(&policy);
    must(policy.errors == 0);
    const char *slack = getenv("HRTIMEOUT_SLACK"), *mode = getenv("HRTIMEOUT_MODE");
    must(!good || !launch.slack == !slack);
    must(!launch.slack || strcmp(launch.slack, slack) == 0);
    must(!launch.mode || strcmp(launch.mode, mode) == 0);
    must(!launch.stats || (*launch.stats == '/' && strcmp(launch.stats, policy.stats_path) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    char *argv[MOST + 2] = {"hrtimeout"};
    int argc = 1;
    world_begin();
    preload(take_line(&in));
    while (in.size && argc < MOST) {
        argv[argc++] = take_line(&in);
    }
    settings(argc, argv);
    world_end();
    return 0;
}
