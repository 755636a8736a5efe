/*
 * Makes timed waits on demand and says how late each ended. One such process runs for each
 * configuration, so that they can take turns and each keeps what it has learned.
 */
#include "calls.h"
#include "clock.h"
#include "series.h"
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int64_t voluntary_switches(void)
{
    struct rusage use;
    getrusage(RUSAGE_THREAD, &use);
    return use.ru_nvcsw;
}

int main(void)
{
    const char *slack = getenv("BENCH_SLACK");
    struct order order;
    if (slack) {
        prctl(PR_SET_TIMERSLACK, strtoul(slack, NULL, 10));
    }
    timed_calls_open();
    while (read_all(STDIN_FILENO, &order, sizeof(order))) {
        int64_t *late = calloc((size_t)order.count, sizeof(*late));
        struct answer answer = {.count = order.count};
        if (!late) {
            return 1;
        }
        for (int i = 0; i < order.count; i++) {
            late[i] = 1; /* pages there before the first wait */
        }
        answer.switches = -voluntary_switches();
        answer.cpu = -clock_ns(CLOCK_THREAD_CPUTIME_ID);
        answer.elapsed = -now_ns();
        for (int i = 0; i < order.count; i++) {
            late[i] = timed_call_lateness(order.call, order.ns);
        }
        answer.elapsed += now_ns();
        answer.cpu += clock_ns(CLOCK_THREAD_CPUTIME_ID);
        answer.switches += voluntary_switches();
        if (!write_all(STDOUT_FILENO, &answer, sizeof(answer)) ||
            !write_all(STDOUT_FILENO, late, (size_t)order.count * sizeof(*late))) {
            return 1;
        }
        free(late);
    }
    return 0;
}
