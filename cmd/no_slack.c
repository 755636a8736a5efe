/* Stands in for hrtimeout slack where it couldn't be built. */
#include "command.h"

int cmd_slack(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail("slack: left out of this build, which had no clang, bpftool or libbpf");
}
