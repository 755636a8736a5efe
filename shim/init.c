/* The constructor: everything that is decided once. Before it has run all calls pass through. */
#include "clock.h"
#include "margin.h"
#include "policy.h"
#include "real.h"
#include "sandbox.h"
#include "slack.h"
#include "stats.h"
#include "uaccess.h"
#include "wait.h"

/*
 * The mode is stored last: until then the wrappers see MODE_EARLY, also in threads that another
 * library's constructor may have started.
 */
__attribute__((constructor)) static void start(void)
{
    struct policy read = {0};
    real_lookup();
    policy_read(&read);
    enum mode mode = read.mode;
    read.mode = MODE_EARLY;
    policy = read;
    if (mode != MODE_OFF) {
        clock_init();
        sandbox_init(policy.sandbox);
        if (policy.stats_path) {
            stats_open(policy.stats_path);
        }
        if (stats && policy.errors) {
            __atomic_fetch_add(&stats->policy_errors, policy.errors, __ATOMIC_RELAXED);
        }
    }
    if (mode == MODE_TIMER || mode == MODE_EXACT) {
        uaccess_init();
        wait_init();
        if (sandbox() != SANDBOX_MAY_KILL) {
            slack_init(policy.slack);
        }
        if (mode == MODE_EXACT && !margin_init(policy.cpu)) {
            mode = MODE_TIMER;
        }
    }
    __atomic_store_n(&policy.mode, mode, __ATOMIC_RELEASE);
}
