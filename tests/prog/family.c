/* family: three children with two threads each, every one sleeps five times 1 ms: 30 sleeps. */
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *sleeper(void *none)
{
    const struct timespec ms = {0, 1000000};
    for (int i = 0; i < 5; i++) {
        nanosleep(&ms, NULL);
    }
    return none;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, sleeper, NULL);
            sleeper(NULL);
            pthread_join(thread, NULL);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    return 0;
}
