/* What the test programs use of glibc and musl 1.2.3 lacks: included before everything else. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static inline const char *strerrorname_np(int error)
{
    static const char *const names[] = {
        [0] = "0",           [EPERM] = "EPERM",   [EINTR] = "EINTR",
        [EBADF] = "EBADF",   [EAGAIN] = "EAGAIN", [EACCES] = "EACCES",
        [EFAULT] = "EFAULT", [EINVAL] = "EINVAL", [ENOSYS] = "ENOSYS",
    };
    static __thread char number[24];
    if (error >= 0 && error < (int)(sizeof(names) / sizeof(*names)) && names[error]) {
        return names[error];
    }
    snprintf(number, sizeof(number), "error %d", error);
    return number;
}

static inline int epoll_pwait2(int fd, struct epoll_event *events, int max,
                               const struct timespec *timeout, const sigset_t *mask)
{
    return (int)syscall(SYS_epoll_pwait2, fd, events, max, timeout, mask, _NSIG / 8);
}

static inline void closefrom(int first)
{
    syscall(SYS_close_range, first, ~0U, 0);
}
