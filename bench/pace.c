/*
 * pace loop|replay|frames: programs as people write them, which keep a rhythm by sleeping.
 *   loop    1000 times usleep(1000)
 *   replay  2000 packets over UDP loopback, nanosleep(500 us) between two
 *   frames  90 frames of 16.667 ms, about 3 ms of work in each, usleep for what is left
 * Prints the elapsed ns, the ideal ns, and of the steps the mean, 1st, 50th and 99th percentile.
 */
#include "clock.h"
#include "series.h"
#include <err.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PACKETS  2000
#define GAP_NS   500000
#define FRAME_NS (SECOND / 60)

static struct series steps;

static void report(int64_t elapsed, int64_t ideal)
{
    series_sort(&steps);
    printf("%lld %lld %lld %lld %lld %lld\n", (long long)elapsed, (long long)ideal,
           (long long)series_mean(&steps), (long long)series_permille(&steps, 10),
           (long long)series_permille(&steps, 500), (long long)series_permille(&steps, 990));
}

static void loop(void)
{
    int64_t start = now_ns(), last = start;
    for (int i = 0; i < 1000; i++) {
        usleep(1000);
        int64_t now = now_ns();
        series_add(&steps, now - last);
        last = now;
    }
    report(last - start, SECOND);
}

static void frames(void)
{
    int64_t start = now_ns(), last = start;
    for (int i = 0; i < 90; i++) {
        int64_t begun = now_ns();
        while (now_ns() - begun < 3000000) {
        }
        int64_t left = begun + FRAME_NS - now_ns();
        usleep(left > 0 ? (useconds_t)(left / 1000) : 0);
        int64_t now = now_ns();
        series_add(&steps, now - last);
        last = now;
    }
    report(last - start, 90 * FRAME_NS);
}

/* Blocks in recv, which no library here takes over. */
static void *receive(void *arg)
{
    int fd = *(int *)arg;
    char packet[64];
    int64_t last = 0;
    for (int i = 0; i < PACKETS && recv(fd, packet, sizeof(packet), 0) > 0; i++) {
        int64_t now = now_ns();
        if (last) {
            series_add(&steps, now - last);
        }
        last = now;
    }
    return NULL;
}

static void replay(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(to);
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    char packet[64] = "packet";
    pthread_t receiver;
    if (in < 0 || out < 0 || bind(in, (struct sockaddr *)&to, size) != 0 ||
        getsockname(in, (struct sockaddr *)&to, &size) != 0 ||
        connect(out, (struct sockaddr *)&to, size) != 0) {
        err(1, "UDP on loopback");
    }
    pthread_create(&receiver, NULL, receive, &in);
    int64_t start = now_ns(), woke = start;
    for (int i = 0; i < PACKETS; i++) {
        if (i) {
            /* As replayers do: what sending took is part of the gap. */
            struct timespec gap = to_timespec(woke + GAP_NS - now_ns());
            nanosleep(&gap, NULL);
            woke = now_ns();
        }
        if (send(out, packet, sizeof(packet), 0) < 0) {
            err(1, "send");
        }
    }
    int64_t elapsed = now_ns() - start;
    pthread_join(receiver, NULL);
    report(elapsed, (PACKETS - 1LL) * GAP_NS);
}

int main(int argc, char **argv)
{
    const char *what = argc == 2 ? argv[1] : "";
    if (strcmp(what, "loop") == 0) {
        loop();
    } else if (strcmp(what, "replay") == 0) {
        replay();
    } else if (strcmp(what, "frames") == 0) {
        frames();
    } else {
        errx(2, "pace loop|replay|frames");
    }
    return 0;
}
