/* poll, ppoll and their fortified names. */
#include "deadline.h"
#include "export.h"
#include "notice.h"
#include "real.h"
#include "sandbox.h"
#include "uaccess.h"
#include "wait.h"
#include "writeback.h"

#include <errno.h>

static int count_poll(const struct stat_wait *counted, const struct pollfd *fds, nfds_t count,
                      int r)
{
    stats_result(counted, r > 0, r < 0 ? errno : 0);
    if (stats && r > 0) {
        notice_poll(counted->call, fds, count);
    }
    return r;
}

static int poll_for(enum stat_call call, struct pollfd *fds, nfds_t count, int64_t timeout,
                    const sigset_t *mask, int64_t *left)
{
    struct stat_wait counted = stats_begin(call, timeout);
    struct wait w = {.call = call, .family = &family_poll, .mask = mask, .poll = {fds, count}};
    int r = wait_descriptors(&w, timeout, left);
    return count_poll(&counted, fds, count, r);
}

/* The real call, counted. */
static int pass_poll(struct pollfd *fds, nfds_t count, int ms)
{
    if (ms == 0) {
        stats_zero(CALL_POLL);
    }
    if (ms == 0 || !stats_on()) {
        return real()->poll(fds, count, ms);
    }
    struct stat_wait counted = stats_begin(CALL_POLL, ns_from_ms(ms));
    return count_poll(&counted, fds, count, real()->poll(fds, count, ms));
}

EXPORT int poll(struct pollfd *fds, nfds_t count, int ms)
{
    if (ms <= 0 || !wait_active() || !(count == 0 || wait_gains(ms, wait_fine_poll()))) {
        return pass_poll(fds, count, ms);
    }
    if (count && wait_plain()) {
        return wait_poll(fds, count, ms);
    }
    return poll_for(CALL_POLL, fds, count, ns_from_ms(ms), NULL, NULL);
}

static int pass_ppoll(struct pollfd *fds, nfds_t count, const struct timespec64 *timeout,
                      const sigset_t *mask)
{
    int64_t ns = timeout ? timespec_length(timeout) : -1;
    if (ns == 0) {
        stats_zero(CALL_PPOLL);
    }
    if (ns == 0 || !stats_on()) {
        return real()->ppoll64(fds, count, timeout, mask);
    }
    struct stat_wait counted = stats_begin(CALL_PPOLL, ns);
    return count_poll(&counted, fds, count, real()->ppoll64(fds, count, timeout, mask));
}

/* libc copies the timeout, so that it may be read here, and nothing is written back. */
EXPORT int ppoll64(struct pollfd *fds, nfds_t count, const struct timespec64 *timeout,
                   const sigset_t *mask)
{
    int64_t ns = timeout ? timespec_length(timeout) : -1;
    if (ns <= 0 || !wait_active()) {
        return pass_ppoll(fds, count, timeout, mask);
    }
    if (policy.writeback != WRITEBACK_LINUX) {
        return poll_for(CALL_PPOLL, fds, count, ns, mask, NULL);
    }
    int64_t left;
    int r = poll_for(CALL_PPOLL, fds, count, ns, mask, &left);
    write_back_timespec(timeout, left);
    return r;
}

#ifdef __GLIBC__
EXPORT_ALIAS(poll) int __poll(struct pollfd *fds, nfds_t count, int ms);

/* A too small object is libc's to report, in its own words. */
static bool too_small(nfds_t count, size_t size)
{
    return size / sizeof(struct pollfd) < count;
}

EXPORT int __poll_chk(struct pollfd *fds, nfds_t count, int ms, size_t size)
{
    if (too_small(count, size)) {
        return real()->__poll_chk(fds, count, ms, size);
    }
    return poll(fds, count, ms);
}

#ifdef TIME32_ABI
/* Programs of either width of time may be linked to the old name (glibc 2.34 to 2.36): pass. */
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t size)
{
    return real()->__ppoll_chk(fds, count, timeout, mask, size);
}

EXPORT int __ppoll64_chk(struct pollfd *fds, nfds_t count, const struct timespec64 *timeout,
                         const sigset_t *mask, size_t size)
{
    if (too_small(count, size)) {
        return real()->__ppoll64_chk(fds, count, timeout, mask, size);
    }
    return ppoll64(fds, count, timeout, mask);
}
#else
EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                       const sigset_t *mask, size_t size)
{
    if (too_small(count, size)) {
        return real()->__ppoll_chk(fds, count, timeout, mask, size);
    }
    return ppoll(fds, count, timeout, mask);
}
#endif
#endif
