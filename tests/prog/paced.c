/*
 * paced loop|replay|frames: a program that paces itself. Prints how far from ideal it ran, in parts
 * per million of its period, and how many steps came before their time.
 *   loop    1 kHz, by a relative sleep of what is left of the period (usleep)
 *   replay  2000 packets 500 us apart, by select, none before its time
 *   frames  60 Hz for a second, by nanosleep, learning the oversleep and asking for that much less
 */
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static int early;

static void report(long long took, long long ideal)
{
    printf("off %lld ppm, early %d\n", (took - ideal) * 1000000 / ideal, early);
}

/* The loop knows nothing of its own lateness: each step starts when the sleep before it ended. */
static void loop(void)
{
    enum { STEPS = 500, PERIOD = 1000000 };
    long long start = now();
    for (int i = 0; i < STEPS; i++) {
        long long begin = now();
        while (now() < begin + 100000) {
        }
        long long left = begin + PERIOD - now();
        if (left > 0) {
            usleep((useconds_t)((left + 999) / 1000));
        }
        early += now() < begin + PERIOD;
    }
    report(now() - start, (long long)STEPS * PERIOD);
}

static void replay(void)
{
    enum { PACKETS = 1000, GAP = 500000 };
    long long start = now();
    for (int i = 0; i < PACKETS; i++) {
        long long begin = now();
        struct timeval tv = {0, GAP / 1000};
        select(0, NULL, NULL, NULL, &tv);
        early += now() < begin + GAP;
    }
    report(now() - start, (long long)PACKETS * GAP);
}

static void frames(void)
{
    enum { FRAMES = 60, PERIOD = 16666667 };
    long long start = now(), oversleep = 0, due = start;
    for (int i = 0; i < FRAMES; i++) {
        due += PERIOD;
        long long ask = due - now() - oversleep;
        struct timespec ts = {0, ask > 0 ? (long)ask : 0};
        long long begin = now();
        nanosleep(&ts, NULL);
        early += now() < begin + ask;
        oversleep += (now() - begin - ask - oversleep) / 8;
        while (now() < due) {
        }
    }
    report(now() - start, (long long)FRAMES * PERIOD);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "loop") == 0) {
        loop();
    } else if (strcmp(what, "replay") == 0) {
        replay();
    } else if (strcmp(what, "frames") == 0) {
        frames();
    } else {
        return 2;
    }
    return 0;
}
