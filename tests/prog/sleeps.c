/* sleeps NS COUNT: sleeps so often and so long by nanosleep; prints the ns that it took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    struct timespec ts = {0, atol(argv[1])};
    long long start = now();
    for (long i = atol(argv[2]); i > 0; i--) {
        nanosleep(&ts, NULL);
    }
    printf("%lld\n", now() - start);
    return 0;
}
