/* traced_wait NAME NS|forever [ready]: one wait between two getppid calls, for strace. The first
 * wait of a process may look things up, so one of 1 us goes before. */
#include "each_wait.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    const struct each_wait *wait = argc > 2 ? each_wait_named(argv[1]) : NULL;
    if (!wait || !each_wait_open()) {
        return 2;
    }
    int64_t ns = strcmp(argv[2], "forever") == 0 ? FOREVER : atoll(argv[2]);
    if (argc > 3 && write(wait_pipe[1], "x", 1) != 1) {
        return 2;
    }
    wait->run(1000);
    syscall(SYS_getppid);
    int result = wait->run(ns);
    syscall(SYS_getppid);
    printf("%s\n", result < 0 ? strerrorname_np(-result) : result ? "ready" : "0");
    return 0;
}
