#include "slack.h"

#include "policy.h"
#include "real.h"

#include <errno.h>

#define KERNEL_DEFAULT 50000 /* ns, init_task's; every thread inherits it from there */

void slack_init(int64_t setting)
{
    int saved = errno;
    if (setting == SLACK_DEFAULT &&
        real()->prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) == KERNEL_DEFAULT) {
        setting = 1;
    }
    if (setting > 0) {
        real()->prctl(PR_SET_TIMERSLACK, (unsigned long)setting, 0, 0, 0);
    }
    errno = saved;
}
