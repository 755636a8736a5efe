/*
 * small_stack: every call in threads with a stack of 16 KiB, the smallest that there is; select and
 * pselect with 900 descriptors as well, so that what they keep on the stack is as large as it gets.
 */
#include "waits.h"

#include <sys/resource.h>

enum { LAST_FD = 899 };

static int select_many(bool with_mask, int64_t ns)
{
    struct timespec ts = {0, ns};
    struct timeval tv = {0, ns / US};
    fd_set set;
    memset(&set, 0, sizeof(set));
    for (int fd = STDERR_FILENO; fd <= LAST_FD; fd++) {
        FD_SET(fd, &set);
    }
    return with_mask ? pselect(LAST_FD + 1, &set, NULL, NULL, &ts, NULL)
                     : select(LAST_FD + 1, &set, NULL, NULL, &tv);
}

static void *wait_twice(void *arg)
{
    struct waiter *w = arg;
    static _Thread_local char text[128];
    int64_t start = now_ns();
    int result = wait_for(w, 12 * MS);
    bool early = now_ns() - start < asked_ns(w->kind, 12 * MS);
    int many = 0;
    if (w->kind == SELECT || w->kind == PSELECT) {
        start = now_ns();
        many = select_many(w->kind == PSELECT, 12 * MS);
        early |= now_ns() - start < 12 * MS;
    }
    snprintf(text, sizeof(text), "%s: %d %d%s\n", kinds[w->kind].name, result, many,
             early ? " early" : "");
    return write(STDOUT_FILENO, text, strlen(text)) < 0 ? w : NULL;
}

int main(void)
{
    struct rlimit limit = {LAST_FD + 20, LAST_FD + 20};
    pthread_attr_t attr;
    pthread_t thread;
    int fds[2];
    setrlimit(RLIMIT_NOFILE, &limit);
    if (pipe(fds) != 0) {
        return 1;
    }
    dup2(fds[1], LAST_FD + 10); /* above all the rest, so that the pipe stays open */
    dup2(fds[0], STDIN_FILENO);
    for (int fd = STDERR_FILENO; fd <= LAST_FD; fd++) {
        dup2(STDIN_FILENO, fd);
    }
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 16384);
    for (int k = 0; k < KINDS; k++) {
        struct waiter w = waiter_open((enum kind)k, STDIN_FILENO);
        pthread_create(&thread, &attr, wait_twice, &w);
        pthread_join(thread, NULL);
    }
    return 0;
}
