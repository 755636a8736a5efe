/* own_late N US: N waits of US microseconds by poll and as many by nanosleep. Prints what each
 * achieved as the program sees it itself: call, median and 90th percentile of its lateness in ns.
 */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static void measure(const char *name, int n, long us, int by_poll)
{
    int64_t *late = calloc((size_t)n, sizeof(*late));
    const struct timespec t = {us / 1000000, us % 1000000 * 1000};
    for (int i = 0; i < n; i++) {
        int64_t start = now_ns();
        if (by_poll) {
            poll(NULL, 0, (int)(us / 1000));
        } else {
            nanosleep(&t, NULL);
        }
        late[i] = now_ns() - start - us * 1000;
    }
    qsort(late, (size_t)n, sizeof(*late), by_size);
    printf("%s %lld %lld\n", name, (long long)late[n / 2], (long long)late[n * 9 / 10]);
    free(late);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        return 2;
    }
    measure("poll", atoi(argv[1]), atol(argv[2]), 1);
    measure("nanosleep", atoi(argv[1]), atol(argv[2]), 0);
    return 0;
}
