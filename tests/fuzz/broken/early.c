/* A preload that is wrong on purpose, to see that the fuzzer notices: sleeps end early. */
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>

int nanosleep(const struct timespec *req, struct timespec *rem)
{
    int (*real)(const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "nanosleep");
    struct timespec shorter = {0, req && req->tv_sec == 0 ? req->tv_nsec / 2 : 0};
    return req && req->tv_sec == 0 && req->tv_nsec > 0 && req->tv_nsec < 1000000000
               ? real(&shorter, rem)
               : real(req, rem);
}
