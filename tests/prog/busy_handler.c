/*
 * busy_handler MS: for MS milliseconds a handler that runs 1000 times a second polls, selects and
 * sleeps, in whatever the four threads do at that moment, which is malloc and stdio. It must end.
 */
#include "waits.h"

#include <stdatomic.h>
#include <sys/time.h>

static atomic_bool finished;
static atomic_int handled, wrong;

static void handler(int signo)
{
    (void)signo;
    int saved = errno;
    struct timeval tv = {0, 50};
    struct timespec ts = {0, 50 * US};
    handled++;
    wrong += poll(NULL, 0, 0) != 0;
    wrong += select(0, NULL, NULL, NULL, &tv) == 0 ? 0 : errno != EINTR;
    wrong += nanosleep(&ts, NULL) == 0 ? 0 : errno != EINTR;
    errno = saved;
}

static void *work(void *unused)
{
    FILE *null = fopen("/dev/null", "w");
    for (size_t n = 0; !finished; n++) {
        char *text = malloc(n % 5000 + 1);
        fprintf(null, "%zu %p\n", n, (void *)text);
        free(text);
    }
    fclose(null);
    return unused;
}

int main(int argc, char **argv)
{
    long ms = argc > 1 ? atol(argv[1]) : 3000;
    struct itimerval interval = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
    pthread_t threads[4];
    handle(SIGALRM, handler, SA_RESTART);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, work, NULL);
    }
    setitimer(ITIMER_REAL, &interval, NULL);
    for (int64_t end = now_ns() + ms * MS; now_ns() < end;) {
        poll(NULL, 0, 20);
    }
    finished = true;
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    setitimer(ITIMER_REAL, &off, NULL);
    printf("handlers ran %s, %d wrong results\n", handled > 10 ? "often" : "too rarely", wrong);
    return 0;
}
