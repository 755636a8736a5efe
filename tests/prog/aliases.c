/* The underscored names that libc exports beside the plain ones; 5 ms each. */
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int __poll(struct pollfd *fds, nfds_t count, int timeout);
int __select(int nfds, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout);
int __nanosleep(const struct timespec *req, struct timespec *rem);

int main(void)
{
    int quiet[2];
    fd_set set;
    struct timeval tv = {.tv_usec = 5000};
    struct timespec ts = {.tv_nsec = 5000000};
    if (pipe(quiet)) {
        return 2;
    }
    FD_ZERO(&set);
    FD_SET(quiet[0], &set);
    syscall(SYS_getppid);
    int polled = __poll(&(struct pollfd){.fd = quiet[0], .events = POLLIN}, 1, 5);
    int selected = __select(quiet[0] + 1, &set, NULL, NULL, &tv);
    printf("%d %d %d\n", polled, selected, __nanosleep(&ts, NULL));
    return 0;
}
