/* each_wait MS [apart] [NAME...]: makes every kind of wait once and says how each ended; `apart`:
 * each in a child of its own, so that none profits from what the library learned in another. */
#include "each_wait.h"

#include <stdlib.h>
#include <sys/wait.h>

static void say(const struct each_wait *wait, int64_t ns)
{
    printf("%s: %s\n", wait->name, each_wait_outcome(wait, ns));
    fflush(stdout);
}

static void say_in_child(const struct each_wait *wait, int64_t ns)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        say(wait, ns);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    if (status) {
        printf("%s: status %d\n", wait->name, status);
    }
}

int main(int argc, char **argv)
{
    bool apart = argc > 2 && strcmp(argv[2], "apart") == 0;
    if (argc < 2 || !each_wait_open()) {
        return 2;
    }
    int64_t ns = atoi(argv[1]) * INT64_C(1000000);
    for (int i = 0; i < EACH_WAITS; i++) {
        if (each_wait_picked(&each_wait[i], argv + 2 + apart)) {
            (apart ? say_in_child : say)(&each_wait[i], ns);
        }
    }
    return 0;
}
