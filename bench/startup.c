/*
 * startup ROUNDS PROGRAM PRELOAD...: how long the program takes from fork to wait, with nothing
 * preloaded and with each library, in turns. Prints for each: preload, lower quartile, median (ns).
 */
#include "clock.h"
#include "series.h"
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_VARIANTS 16

extern char **environ;

static int64_t run(const char *program)
{
    char *args[] = {(char *)program, NULL};
    int status;
    int64_t start = now_ns();
    pid_t pid = vfork();
    if (pid == 0) {
        execve(program, args, environ);
        _exit(127);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
        errx(1, "%s didn't run", program);
    }
    return now_ns() - start;
}

int main(int argc, char **argv)
{
    struct series times[MAX_VARIANTS] = {0};
    if (argc < 3 || argc - 2 > MAX_VARIANTS) {
        errx(2, "startup ROUNDS PROGRAM PRELOAD...");
    }
    for (int round = atoi(argv[1]); round > 0; round--) {
        for (int i = 2; i < argc; i++) {
            unsetenv("LD_PRELOAD");
            if (i > 2) {
                setenv("LD_PRELOAD", argv[i], 1);
            }
            series_add(&times[i - 2], run(argv[2]));
        }
    }
    for (int i = 2; i < argc; i++) {
        struct series *s = &times[i - 2];
        series_sort(s);
        printf("%s %lld %lld\n", i == 2 ? "nothing" : argv[i], (long long)series_permille(s, 250),
               (long long)series_permille(s, 500));
    }
    return 0;
}
