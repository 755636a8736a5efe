/* slack_seen [own NS]: the timer slack of the main thread and of threads started before and after
 * the first wait, asked of the kernel itself; with `own` the program sets one first. */
#include "each_wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>

static long slack(void)
{
    return syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0);
}

static pthread_barrier_t waited;

static void *say_later(void *name)
{
    pthread_barrier_wait(&waited);
    printf("%s: %ld\n", (char *)name, slack());
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t before, after;
    if (argc == 3 && prctl(PR_SET_TIMERSLACK, strtoul(argv[2], NULL, 10), 0, 0, 0)) {
        return 2;
    }
    pthread_barrier_init(&waited, NULL, 2);
    if (!each_wait_open() || pthread_create(&before, NULL, say_later, "started before")) {
        return 2;
    }
    do_nanosleep(3000000);
    do_poll(3000000);
    pthread_barrier_wait(&waited);
    pthread_join(before, NULL);
    printf("main: %ld\n", slack());
    if (pthread_create(&after, NULL, say_later, "started after")) {
        return 2;
    }
    pthread_barrier_wait(&waited);
    pthread_join(after, NULL);
    return 0;
}
