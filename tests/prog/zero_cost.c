/* zero_cost: for each byte on stdin, one batch of zero-timeout polls on an empty pipe; prints the
 * ns that it took. Two of these can be compared by turns, so that what else runs here hits both. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define CALLS 300

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int main(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0) {
        return 1;
    }
    struct pollfd fd = {.fd = ends[0], .events = POLLIN};
    while (read(0, &byte, 1) == 1) {
        poll(&fd, 1, 0); /* this one finds the caches cold */
        int64_t start = now_ns();
        for (int i = 0; i < CALLS; i++) {
            poll(&fd, 1, 0);
        }
        printf("%lld\n", (long long)(now_ns() - start));
        fflush(stdout);
    }
    return 0;
}
