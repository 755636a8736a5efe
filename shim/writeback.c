#include "writeback.h"

#include "deadline.h"
#include "notice.h"
#include "policy.h"
#include "uaccess.h"

#include "wait.h"

#define USEC_PER_SEC INT32_C(1000000)

#ifdef __GLIBC__
#define LIBC_WRITES 1
#else
#define LIBC_WRITES 0 /* musl */
#endif

/* What libc makes of a timeval before it hands it on: less than a second of microseconds. */
static struct timeval64 normalised(const struct timeval64 *tv)
{
    int32_t sec = (int32_t)tv->tv_usec / USEC_PER_SEC; /* select_length() has seen that it fits */
    return (struct timeval64){.tv_sec = (sec64)ns_add(tv->tv_sec, sec),
                              .tv_usec = (int32_t)tv->tv_usec % USEC_PER_SEC};
}

void write_back_timeval(struct timeval64 *tv, int64_t left)
{
    if (policy.writeback == WRITEBACK_NONE ||
        (policy.writeback == WRITEBACK_LIBC && !LIBC_WRITES)) {
        return;
    }
    if (uaccess_writable(tv, sizeof(*tv))) {
        *tv = wait_sticky ? normalised(tv) : ns_to_timeval(left);
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
