/* Every wait when no further descriptor can be had: the limit is cut to what is open. */
#include "each_wait.h"

#include <fcntl.h>
#include <sys/resource.h>

int main(void)
{
    if (!each_wait_open()) {
        return 2;
    }
    int next = dup(0);
    close(next);
    struct rlimit limit = {(rlim_t)next, (rlim_t)next};
    if (next < 0 || setrlimit(RLIMIT_NOFILE, &limit) || open("/dev/null", O_RDONLY) >= 0) {
        return 2;
    }
    for (int i = 0; i < EACH_WAITS - 1; i++) {
        printf("%s: %s\n", each_wait[i].name, each_wait_outcome(&each_wait[i], 11000000));
    }
    return 0;
}
