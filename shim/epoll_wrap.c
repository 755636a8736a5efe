/* epoll_wait, epoll_pwait, epoll_pwait2. epoll stays epoll: its stages are calls of its own kind.
 */
#include "deadline.h"
#include "export.h"
#include "notice.h"
#include "real.h"
#include "sandbox.h"
#include "uaccess.h"
#include "wait.h"

#include <errno.h>

static int count_epoll(const struct stat_wait *counted, const struct epoll_event *events, int r)
{
    stats_result(counted, r > 0, r < 0 ? errno : 0);
    if (stats && r > 0) {
        notice_epoll(counted->call, events, r);
    }
    return r;
}

static int epoll_for(enum stat_call call, int fd, struct epoll_event *events, int max,
                     int64_t timeout, const sigset_t *mask)
{
    struct stat_wait counted = stats_begin(call, timeout);
    struct wait w = {
        .call = call, .family = &family_epoll, .mask = mask, .epoll = {fd, events, max}};
    return count_epoll(&counted, events, wait_descriptors(&w, timeout, NULL));
}

static bool takes_over(int ms)
{
    return ms > 0 && wait_active() && wait_gains(ms, wait_fine_epoll());
}

EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
    if (takes_over(ms) && wait_plain()) {
        return wait_epoll(fd, events, max, ms);
    }
    if (takes_over(ms)) {
        return epoll_for(CALL_EPOLL_WAIT, fd, events, max, ns_from_ms(ms), NULL);
    }
    if (ms == 0) {
        stats_zero(CALL_EPOLL_WAIT);
    }
    if (ms == 0 || !stats_on()) {
        return real()->epoll_wait(fd, events, max, ms);
    }
    struct stat_wait counted = stats_begin(CALL_EPOLL_WAIT, ns_from_ms(ms));
    return count_epoll(&counted, events, real()->epoll_wait(fd, events, max, ms));
}

EXPORT int epoll_pwait(int fd, struct epoll_event *events, int max, int ms, const sigset_t *mask)
{
    if (takes_over(ms)) {
        return epoll_for(CALL_EPOLL_PWAIT, fd, events, max, ns_from_ms(ms), mask);
    }
    if (ms == 0) {
        stats_zero(CALL_EPOLL_PWAIT);
    }
    if (ms == 0 || !stats_on()) {
        return real()->epoll_pwait(fd, events, max, ms, mask);
    }
    struct stat_wait counted = stats_begin(CALL_EPOLL_PWAIT, ns_from_ms(ms));
    return count_epoll(&counted, events, real()->epoll_pwait(fd, events, max, ms, mask));
}

#ifdef __GLIBC__
/* libc hands the timeout on as it is: a bad pointer is EFAULT, not a crash. -1: nobody can say. */
static int64_t length_of(const struct timespec64 *timeout)
{
    return timeout && uaccess_readable(timeout, sizeof(*timeout)) ? timespec_length(timeout) : -1;
}

EXPORT int epoll_pwait2_64(int fd, struct epoll_event *events, int max,
                           const struct timespec64 *timeout, const sigset_t *mask)
{
    int64_t ns = wait_active() || stats ? length_of(timeout) : -1;
    if (ns > 0 && wait_active()) {
        return epoll_for(CALL_EPOLL_PWAIT2, fd, events, max, ns, mask);
    }
    if (ns == 0) {
        stats_zero(CALL_EPOLL_PWAIT2);
    }
    if (ns == 0 || !stats_on()) {
        return real()->epoll_pwait2_64(fd, events, max, timeout, mask);
    }
    struct stat_wait counted = stats_begin(CALL_EPOLL_PWAIT2, ns);
    return count_epoll(&counted, events, real()->epoll_pwait2_64(fd, events, max, timeout, mask));
}
#endif
