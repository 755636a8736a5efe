/* open_first FILE: makes every wait, then opens and says which descriptor it got and what else is
 * open; to FILE, since the standard ones may be closed. */
#include "each_wait.h"

#include <fcntl.h>
#include <stdlib.h>

static int count_open(void)
{
    int open = 0;
    for (int fd = 0; fd < 1024; fd++) {
        open += fcntl(fd, F_GETFD) >= 0;
    }
    return open;
}

int main(int argc, char **argv)
{
    int before = count_open();
    int first = open("/dev/null", O_RDONLY);
    if (argc != 2 || first < 0) {
        return 2;
    }
    close(first);
    int failed = 0, out = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dprintf(out, "%d open at start, the first is %d\n", before, first);
    if (!each_wait_open()) {
        return 3;
    }
    for (int i = 0; i < EACH_WAITS - 1; i++) {
        const char *outcome = each_wait_outcome(&each_wait[i], 11000000);
        dprintf(out, "%s: %s\n", each_wait[i].name, outcome);
        failed |= strcmp(outcome, "0") != 0;
    }
    each_wait_close();
    close(out);
    first = open("/dev/null", O_RDONLY);
    close(first);
    out = open(argv[1], O_WRONLY | O_APPEND);
    dprintf(out, "the first is now %d, %d open\n", first, count_open() - 1);
    return failed;
}
