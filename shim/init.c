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
#include "waits.h"
#include "warm.h"

static void open_stats(void)
{
    if (policy.stats_path) {
        stats_open(policy.stats_path);
    }
    if (stats && policy.errors) {
        __atomic_fetch_add(&stats->policy_errors, policy.errors, __ATOMIC_RELAXED);
    }
}

/* Only counting needs anything in observe mode; also then no filter may be met. */
static void prepare_observing(void)
{
    if (!policy.stats_path) {
        return;
    }
    sandbox_init(policy.sandbox);
    if (sandbox() != SANDBOX_MAY_KILL || clock_is_free()) {
        open_stats();
    }
    uaccess_init();
}

/* Everything the mode needs; the mode that is possible. */
static enum mode prepare(enum mode mode)
{
    clock_init();
    if (mode == MODE_OBSERVE) {
        prepare_observing();
        return mode;
    }
    sandbox_init(policy.sandbox);
    if (sandbox() != SANDBOX_MAY_KILL) {
        slack_init(policy.slack);
    } else if (!clock_is_free()) {
        return MODE_OFF;
    }
    /*
     * Out of the way: where the clock can't be read (an old 32-bit kernel) or isn't the kernel's,
     * and on a 32-bit libc from before 64-bit time (glibc 2.34), in which stages can't be told.
     */
    if (clock_now(policy.clock) == 0 || real_time_is_faked() || !real()->clock_nanosleep64) {
        return MODE_OFF;
    }
    open_stats();
    if (sandbox() == SANDBOX_NONE) {
        waits_open();
    }
    if (waits_counted()) {
        stats_keep_private();
    }
    uaccess_init();
    wait_init();
    if (mode == MODE_EXACT) {
        warm_init();
        return margin_init(policy.cpu) ? MODE_EXACT : MODE_TIMER;
    }
    return mode;
}

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
        mode = prepare(mode);
    }
    __atomic_store_n(&policy.mode, mode, __ATOMIC_RELEASE);
}
