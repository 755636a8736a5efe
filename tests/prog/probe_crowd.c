/* probe_crowd N: N children alive at a time, a wait each. */
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int n = argc == 2 ? atoi(argv[1]) : 0, ready[2], hold[2];
    char byte;
    if (pipe(ready) != 0 || pipe(hold) != 0) {
        return 1;
    }
    for (int i = 0; i < n; i++) {
        if (fork() == 0) {
            struct timespec t = {0, 1000};
            close(hold[1]);
            nanosleep(&t, NULL);
            _exit(write(ready[1], "x", 1) != 1 || read(hold[0], &byte, 1) != 0);
        }
    }
    for (int i = 0; i < n; i++) {
        if (read(ready[0], &byte, 1) != 1) {
            return 1;
        }
    }
    close(hold[1]);
    while (wait(NULL) > 0) {
    }
    return 0;
}
