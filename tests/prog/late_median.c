/* late_median MS ROUNDS NAME...: the median lateness of each wait in ns, one line each. Each wait
 * has a thread of its own; they start at different times, since one timer's interrupt lets
 * another's be early in its slack. */
#include "each_wait.h"

#include <pthread.h>
#include <stdlib.h>

#define MAX_ROUNDS 1000

struct series {
    const struct each_wait *wait;
    int64_t ns, late[MAX_ROUNDS];
    int rounds, stagger;
    bool failed;
};

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void *measure(void *arg)
{
    struct series *s = arg;
    struct timespec stagger = spec_of(s->stagger * INT64_C(13700000));
    nanosleep(&stagger, NULL);
    for (int i = 0; i < s->rounds; i++) {
        int64_t start = now_on(CLOCK_MONOTONIC);
        s->failed |= s->wait->run(s->ns) != 0;
        s->late[i] = now_on(CLOCK_MONOTONIC) - start - s->ns;
        s->failed |= s->late[i] < 0;
    }
    qsort(s->late, (size_t)s->rounds, sizeof(*s->late), ascending);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct series series[EACH_WAITS];
    pthread_t threads[EACH_WAITS];
    int count = argc - 3, failed = 0;
    if (count < 1 || count > EACH_WAITS || atoi(argv[2]) > MAX_ROUNDS || !each_wait_open()) {
        return 2;
    }
    for (int i = 0; i < count; i++) {
        series[i] = (struct series){.wait = each_wait_named(argv[i + 3]),
                                    .ns = atoi(argv[1]) * INT64_C(1000000),
                                    .rounds = atoi(argv[2]),
                                    .stagger = i};
        if (!series[i].wait || pthread_create(&threads[i], NULL, measure, &series[i]) != 0) {
            return 2;
        }
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        printf("%s %lld\n", series[i].wait->name, (long long)series[i].late[series[i].rounds / 2]);
        failed |= series[i].failed;
    }
    return failed;
}
