/* probe_family: 10 waits each in the process, its child and its grandchild; 4 threads of 25 in the
 * process. Prints the three ids. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_times(int n)
{
    for (int i = 0; i < n; i++) {
        struct timespec t = {0, 100000};
        nanosleep(&t, NULL);
    }
}

static void *sleep_in_thread(void *unused)
{
    sleep_times(25);
    return unused;
}

static void descend(int generations)
{
    printf("%d\n", (int)getpid());
    fflush(stdout);
    sleep_times(10);
    if (generations == 1) {
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        descend(generations - 1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    pthread_t threads[4];
    descend(3);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, sleep_in_thread, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
