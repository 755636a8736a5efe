/*
 * ready COUNT: COUNT waits of each call for a descriptor that is ready, with timeouts down to the
 * shortest there is: however late the thread may be, the descriptor must be reported. All calls at
 * the same time, so that threads are often delayed.
 */
#include "waits.h"

static int count;

static void run(struct waiter *w, FILE *out)
{
    const int64_t lengths[] = {1, 1 * US, 20 * US, 1 * MS, 60 * SEC};
    int missed = 0, errors = 0;
    for (int l = 0; l < 5; l++) {
        for (int i = 0; i < count; i++) {
            int result = wait_for(w, lengths[l]);
            missed += result == 0;
            errors += result < 0;
        }
    }
    fprintf(out, "missed %d times, %d errors", missed, errors);
}

int main(int argc, char **argv)
{
    count = argc > 1 ? atoi(argv[1]) : 1000;
    each_kind(has_fds, ready_fd(), run);
    return 0;
}
