/* What a line's lateness comes from, and what would help. */
#include "slack.h"

#include <inttypes.h>

/* Below this there is nothing worth a change. */
#define FINE_NS 20000

static const char *dominant(const struct slack_parts *p)
{
    uint64_t most = p->timer_slack_ns;
    const char *verdict = "timer slack: the kernel may be this late; `hrtimeout run` ends it";
    if (p->interrupt_ns > most) {
        most = p->interrupt_ns;
        verdict = "late timer interrupts: `hrtimeout run --mode exact` wakes before them";
    }
    if (p->run_queue_ns > most) {
        most = p->run_queue_ns;
        verdict = "waiting for a CPU: a higher priority, fewer threads or fewer neighbours";
    }
    if (p->return_ns > most) {
        verdict = "the wake-up itself: `hrtimeout run --mode exact` wakes before the deadline";
    }
    return verdict;
}

const char *slack_verdict(const struct slack_line *line)
{
    if (slack_quantile(line, 500) < FINE_NS) {
        return "on time: nothing to gain";
    }
    if (line->library) {
        return "counted by the library: try `hrtimeout run --mode exact`, or see its report";
    }
    return dominant(&line->parts);
}
