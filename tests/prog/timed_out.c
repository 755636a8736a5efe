/*
 * timed_out results     Each call's result and errno after a wait, and whether it was as long as
 * told, for lengths that calls are known to have got wrong. timed_out late NS     For each call
 * that can be asked for NS: "NAME MEDIAN", the median lateness of 60 waits in ns. One call at a
 * time.
 */
#include "waits.h"

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void late(enum kind kind, int64_t ns)
{
    enum { WAITS = 60 };
    struct waiter w = waiter_open(kind, idle_fd());
    int64_t lateness[WAITS];
    for (int i = 0; i < WAITS; i++) {
        int64_t start = now_ns();
        wait_for(&w, ns);
        lateness[i] = now_ns() - start - ns;
    }
    qsort(lateness, WAITS, sizeof(*lateness), compare);
    printf("%s %lld\n", kinds[kind].name, (long long)lateness[WAITS / 2]);
    waiter_close(&w);
}

static const char *length_of(int64_t took, int64_t asked)
{
    return took < asked ? "too short" : took < asked + 500 * MS ? "as told" : "too long";
}

static void results(struct waiter *w, FILE *out)
{
    const int64_t lengths[] = {1, 300 * US, 25 * MS};
    for (int i = 0; i < 3; i++) {
        if (w->kind == SLEEP && i > 0) {
            break;
        }
        int64_t asked = asked_ns(w->kind, lengths[i]), took = INT64_MAX;
        int result = 0, error = 0;
        /* A busy machine makes one too long, a wrong unit all of them. */
        for (int n = 0; n < 5 && took > asked + 400 * MS; n++) {
            int64_t start = now_ns();
            errno = 77;
            result = wait_for(w, lengths[i]);
            error = errno;
            took = now_ns() - start;
        }
        fprintf(out, "%d, errno %d, %s; ", result, error, length_of(took, asked));
    }
}

struct odd_wait {
    const char *name;
    int64_t asked;
    struct timeval tv; /* for select; else usleep */
};

static const struct odd_wait odd_waits[] = {
    {"select {0, 1000000}", SEC, {0, 1000000}},
    {"select {0, 1500000}", 3 * SEC / 2, {0, 1500000}},
    {"select {1, 1000001}", 2 * SEC + US, {1, 1000001}},
    {"select {0, 2^32 + 40000}", 40 * MS, {0, (suseconds_t)((INT64_C(1) << 32) + 40000)}},
    {"usleep(1000000)", SEC, {-1, 1000000}},
    {"usleep(2500000)", 5 * SEC / 2, {-1, 2500000}},
};

enum { ODD = sizeof(odd_waits) / sizeof(*odd_waits) };

static void *wait_oddly(void *arg)
{
    const struct odd_wait *odd = arg;
    struct timeval tv = odd->tv;
    int64_t start = now_ns();
    int result = tv.tv_sec < 0 ? usleep(tv.tv_usec) : select(0, NULL, NULL, NULL, &tv);
    return (void *)(uintptr_t)(result ? "failed" : length_of(now_ns() - start, odd->asked));
}

int main(int argc, char **argv)
{
    pthread_t threads[ODD];
    if (argc > 2) {
        for (int k = 0; k < KINDS; k++) {
            int64_t ns = atol(argv[2]);
            if (ns % kinds[k].unit == 0) {
                late((enum kind)k, ns);
            }
        }
        return 0;
    }
    for (int i = 0; i < ODD; i++) {
        pthread_create(&threads[i], NULL, wait_oddly, (void *)(uintptr_t)&odd_waits[i]);
    }
    each_kind(NULL, idle_fd(), results);
    for (int i = 0; i < ODD; i++) {
        void *length;
        pthread_join(threads[i], &length);
        printf("%s: %s\n", odd_waits[i].name, (char *)length);
    }
    return 0;
}
