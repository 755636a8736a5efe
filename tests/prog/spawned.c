/*
 * spawned VFORKS SPAWNS: children made by vfork, which share the parent's memory, and by
 * posix_spawn wait in every call while a thread of the parent sleeps. What went wrong is counted.
 */
#include "waits.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static void *sleep_on(void *unused)
{
    struct timespec ts = {0, 200 * US};
    for (;;) {
        nanosleep(&ts, NULL);
    }
    return unused;
}

static int wait_in(enum kind kind, struct waiter *w)
{
    int64_t start = now_ns();
    int result = wait_for(w, 50 * US);
    bool early = now_ns() - start < asked_ns(kind, 50 * US);
    return result != 0 || early;
}

static int child(void)
{
    int wrong = 0;
    for (int k = 0; k < KINDS; k++) {
        struct waiter w = waiter_open((enum kind)k, -1);
        wrong += k == SLEEP ? 0 : wait_in((enum kind)k, &w);
        waiter_close(&w);
    }
    return wrong;
}

static int vfork_once(enum kind kind, struct waiter *w)
{
    int status = -1;
    pid_t pid = vfork();
    if (pid == 0) {
        _exit(wait_in(kind, w));
    }
    waitpid(pid, &status, 0);
    return status != 0;
}

int main(int argc, char **argv)
{
    int vforks = argc > 1 ? atoi(argv[1]) : 1000, spawns = argc > 2 ? atoi(argv[2]) : 1000;
    int wrong = 0, wrong_afterwards = 0, fd = idle_fd();
    pthread_t thread;
    if (argc > 1 && strcmp(argv[1], "child") == 0) {
        return child();
    }
    pthread_create(&thread, NULL, sleep_on, NULL);
    for (int i = 0; i < vforks; i++) {
        enum kind kind = (enum kind)(i % KINDS) == SLEEP ? POLL : (enum kind)(i % KINDS);
        struct waiter w = waiter_open(kind, fd);
        wrong += vfork_once(kind, &w);
        wrong_afterwards += wait_in(kind, &w);
        waiter_close(&w);
    }
    printf("vfork: %d wrong in the child, %d in the parent afterwards\n", wrong, wrong_afterwards);
    wrong = 0;
    for (int i = 0; i < spawns; i++) {
        char *arguments[] = {argv[0], "child", NULL};
        int status = -1;
        pid_t pid;
        if (posix_spawn(&pid, argv[0], NULL, NULL, arguments, environ) == 0) {
            waitpid(pid, &status, 0);
        }
        wrong += status != 0;
    }
    printf("posix_spawn: %d wrong\n", wrong);
    return 0;
}
