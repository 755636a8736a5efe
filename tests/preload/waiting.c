/* A library whose constructor and destructor make every wait. What went wrong is said on stderr. */
#include "each_wait.h"

static void wait_all(const char *where)
{
    if (!each_wait_open()) {
        return;
    }
    for (int i = 0; i < EACH_WAITS; i++) {
        if (each_wait[i].run == do_sleep) {
            continue;
        }
        const char *outcome = each_wait_outcome(&each_wait[i], 2000000);
        if (strcmp(outcome, "0") != 0) {
            dprintf(2, "%s in the %s: %s\n", each_wait[i].name, where, outcome);
        }
    }
    each_wait_close();
}

__attribute__((constructor)) static void at_start(void)
{
    wait_all("constructor");
}

__attribute__((destructor)) static void at_end(void)
{
    wait_all("destructor");
}
