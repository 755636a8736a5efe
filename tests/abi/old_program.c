/* A program as glibc 2.17 could run it: without the start files of today, and without libdl. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <time.h>

__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
__asm__(".symver pthread_testcancel, pthread_testcancel@GLIBC_2.2.5");
#pragma weak dlsym
#pragma weak pthread_testcancel

/* Waits of each sort that the library makes something else of. */
static void wait_some(void)
{
    struct timespec ts = {.tv_nsec = 15000000}, past = {.tv_sec = 1};
    struct timeval tv = {.tv_usec = 15000};
    fd_set none;
    FD_ZERO(&none);
    if (nanosleep(&ts, &ts) || select(1, &none, NULL, NULL, &tv) || tv.tv_usec ||
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &past, NULL)) {
        puts("a wait failed");
    }
}

__attribute__((force_align_arg_pointer, noreturn)) void _start(void)
{
    wait_some();
    printf("slack %d, %s, %s\n", prctl(PR_GET_TIMERSLACK),
           pthread_testcancel ? "a cancellation point" : "no cancellation point",
           dlsym ? "dlsym" : "no dlsym");
    exit(0);
}
