/*
 * storm NAME SECONDS: one storm. Exit 0 when nothing ended early, hung, failed or leaked; a hang
 * ends it by SIGALRM.
 */
#include "storm.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What the C library and the kernel may keep of a thousand threads' stacks and more. */
#define MEMORY_ROOM (32L << 20)

void fault(const char *format, ...)
{
    va_list arguments;
    if (atomic_fetch_add(&wrong, 1) < 5) {
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
}

static int open_descriptors(void)
{
    int count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d)) {
        count++;
    }
    if (d) {
        closedir(d);
    }
    return count;
}

static long memory_used(void)
{
    long pages = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) {
        resident = 0;
    }
    if (f) {
        fclose(f);
    }
    return resident * sysconf(_SC_PAGESIZE);
}

/* A look at the memory after a third of the time is what the end is measured against. */
static long memory_early;

static void *end_later(void *seconds)
{
    double length = strtod(seconds, NULL);
    int64_t start = now();
    bool looked = false;
    while ((double)(now() - start) < length * (double)S) {
        nanosleep(&(struct timespec){0, 10 * MS}, NULL);
        if (!looked && (double)(now() - start) > length * (double)S / 3) {
            memory_early = memory_used();
            looked = true;
        }
    }
    over = true;
    return NULL;
}

int main(int argc, char **argv)
{
    const struct storm *s = storms;
    pthread_t timer;
    if (argc != 3) {
        fprintf(stderr, "usage: storm NAME SECONDS\n");
        return 2;
    }
    while (s->name && strcmp(s->name, argv[1]) != 0) {
        s++;
    }
    if (!s->name) {
        fprintf(stderr, "storm: no storm %s\n", argv[1]);
        return 2;
    }
    alarm((unsigned)strtod(argv[2], NULL) + 60);
    int descriptors = open_descriptors();
    pthread_create(&timer, NULL, end_later, argv[2]);
    s->run();
    pthread_join(timer, NULL);
    int left = open_descriptors() - descriptors;
    long grown = memory_used() - memory_early;
    if (left) {
        fault("%d descriptors left open", left);
    }
    if (grown > MEMORY_ROOM) {
        fault("%ld bytes of memory more than after a third of the time", grown);
    }
    printf("%s: %ld waits, %ld early, %ld faults\n", s->name, waits, early, wrong);
    return wrong || early || !waits;
}
