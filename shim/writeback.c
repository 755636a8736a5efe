#include "writeback.h"

#include "deadline.h"
#include "notice.h"
#include "policy.h"
#include "uaccess.h"

#include "wait.h"

#ifdef __GLIBC__
#define LIBC_WRITES 1
#else
#define LIBC_WRITES 0 /* musl */
#endif

void write_back_timeval(struct timeval64 *tv, int64_t left, int64_t timeout)
{
    if (policy.writeback == WRITEBACK_NONE ||
        (policy.writeback == WRITEBACK_LIBC && !LIBC_WRITES)) {
        return;
    }
    if (uaccess_writable(tv, sizeof(*tv))) {
        *tv = ns_to_timeval(wait_sticky ? timeout : left);
        if (stats && left == 0) {
            notice_counted_down(tv);
        }
    }
}

void write_back_timespec(const struct timespec64 *ts, int64_t left)
{
    struct timespec64 *to =
        (struct timespec64 *)(uintptr_t)ts; /* the kernel's argument isn't const */
    if (policy.writeback == WRITEBACK_LINUX && !wait_sticky && uaccess_writable(to, sizeof(*to))) {
        *to = ns_to_timespec(left);
    }
}
