/*
 * cancelled waiting   A thread in each call, waiting 60 s, is cancelled: it ends at once, and its
 *                     clean-up handlers run.
 * cancelled forever   The same of waits without end.
 * cancelled pending   The cancellation is there before the call: with descriptors ready, with
 * nothing to wait for, with a deadline that has passed, with 60 s to wait. cancelled spinning
 * Threads that wait 200 us again and again are cancelled at any moment of it. cancelled disabled  A
 * thread that has cancellation disabled waits to its deadline.
 */
#include "waits.h"

static const char *what;

struct victim {
    enum kind kind;
    int fd;
    int64_t length;
    bool pending;
    volatile bool pushed, popped, left_frame, returned;
    pthread_barrier_t ready;
};

static void clean_up(void *arg)
{
    ((struct victim *)arg)->popped = true;
}

static void leave_frame(struct victim **victim)
{
    (*victim)->left_frame = true;
}

static void *be_victim(void *arg)
{
    struct victim *victim __attribute__((cleanup(leave_frame))) = arg;
    struct waiter w = waiter_open(victim->kind, victim->fd);
    pthread_cleanup_push(clean_up, victim);
    victim->pushed = true;
    pthread_setcancelstate(victim->pending ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, NULL);
    pthread_barrier_wait(&victim->ready);
    if (victim->pending) {
        pthread_barrier_wait(&victim->ready);
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    }
    do {
        wait_for(&w, victim->length);
    } while (strcmp(what, "spinning") == 0);
    victim->returned = true;
    pthread_cleanup_pop(0);
    return NULL;
}

static const char *cancel_one(enum kind kind, int fd, int64_t length, bool pending, int64_t after)
{
    struct victim victim = {.kind = kind, .fd = fd, .length = length, .pending = pending};
    pthread_t thread;
    void *value;
    pthread_barrier_init(&victim.ready, NULL, 2);
    pthread_create(&thread, NULL, be_victim, &victim);
    pthread_barrier_wait(&victim.ready);
    if (after) {
        struct timespec ts = {0, after};
        nanosleep(&ts, NULL);
    }
    pthread_cancel(thread);
    if (pending) {
        pthread_barrier_wait(&victim.ready);
    }
    int64_t start = now_ns();
    pthread_join(thread, &value);
    if (now_ns() - start > SEC) {
        return "late";
    }
    if (value != PTHREAD_CANCELED) {
        return victim.returned ? "not cancelled" : "lost";
    }
    return victim.popped && victim.left_frame ? "cancelled" : "not cleaned up";
}

static void run_pending(struct waiter *w, FILE *out)
{
    fprintf(out, "60 s %s", cancel_one(w->kind, w->fd, 60 * SEC, true, 0));
    fprintf(out, ", zero %s", cancel_one(w->kind, w->fd, 0, true, 0));
    if (kinds[w->kind].fds) {
        int fd = ready_fd();
        fprintf(out, ", ready %s", cancel_one(w->kind, fd, 60 * SEC, true, 0));
        fprintf(out, ", ready and zero %s", cancel_one(w->kind, fd, 0, true, 0));
        close(fd);
    }
}

static void run_spinning(struct waiter *w, FILE *out)
{
    int cancelled = 0;
    const char *result = "";
    for (int i = 0; i < 20; i++) {
        result = cancel_one(w->kind, w->fd, 200 * US, false, (1 + i) * 150 * US);
        cancelled += strcmp(result, "cancelled") == 0;
    }
    fprintf(out, "%d of 20 cancelled", cancelled);
}

static void run_disabled(struct waiter *w, FILE *out)
{
    pthread_t self = pthread_self();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(self);
    int64_t start = now_ns();
    int result = wait_for(w, 50 * MS);
    fprintf(out, "%s%s", outcome(result),
            now_ns() - start < asked_ns(w->kind, 50 * MS) ? " early" : "");
}

static void run(struct waiter *w, FILE *out)
{
    if (strcmp(what, "pending") == 0) {
        run_pending(w, out);
    } else if (strcmp(what, "spinning") == 0) {
        run_spinning(w, out);
    } else if (strcmp(what, "disabled") == 0) {
        run_disabled(w, out);
    } else {
        int64_t length = strcmp(what, "forever") == 0 ? FOREVER : 60 * SEC;
        fprintf(out, "%s", cancel_one(w->kind, w->fd, length, false, 30 * MS));
    }
}

static bool wanted(enum kind kind)
{
    return strcmp(what, "spinning") != 0 || kind != SLEEP;
}

int main(int argc, char **argv)
{
    what = argc > 1 ? argv[1] : "waiting";
    each_kind(wanted, idle_fd(), run);
    return 0;
}
