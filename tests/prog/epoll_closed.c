/*
 * An epoll descriptor that another thread closes during the wait, or puts another file in the place
 * of: the kernel's own wait holds on to what it began with, so it ends by its time, errno
 * untouched.
 */
#include "waits.h"

enum act { CLOSE, REPLACE };

struct closer {
    int fd;
    enum act act;
    int other;
};

static bool is_epoll(enum kind kind)
{
    return kind == EPOLL_WAIT || kind == EPOLL_PWAIT || kind == EPOLL_PWAIT2;
}

static void *close_it(void *arg)
{
    const struct closer *c = arg;
    const struct timespec later = {.tv_nsec = 20 * MS};
    nanosleep(&later, NULL);
    if (c->act == REPLACE) {
        dup2(c->other, c->fd);
    } else {
        close(c->fd);
    }
    return NULL;
}

static void wait_closed(struct waiter *w, FILE *out)
{
    static const char *const names[] = {"closed", "replaced"};
    for (int act = CLOSE; act <= REPLACE; act++) {
        struct waiter own = waiter_open(w->kind, w->fd);
        struct closer closer = {own.epoll, (enum act)act, w->fd};
        pthread_t thread;
        int64_t start = now_ns();
        if (pthread_create(&thread, NULL, close_it, &closer) != 0) {
            abort();
        }
        errno = ENOLINK;
        int r = wait_for(&own, 80 * MS);
        int error = errno;
        pthread_join(thread, NULL);
        fprintf(out, "%s %d %s%s; ", names[act], r, strerrorname_np(error),
                now_ns() - start < 80 * MS ? " early" : "");
        if (act == REPLACE) {
            close(own.epoll);
        }
    }
}

int main(void)
{
    each_kind_in_turn(is_epoll, idle_fd(), wait_closed);
    return 0;
}
