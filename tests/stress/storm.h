/* Storms: the waits under conditions that no program should be in, for some seconds each. */
#ifndef STRESS_STORM_H
#define STRESS_STORM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define US 1000L
#define MS 1000000L
#define S  1000000000L

extern atomic_long waits, early, wrong;
extern atomic_bool over;

int64_t now(void);
unsigned dice(unsigned *seed, unsigned sides);

/* How a wait ended; a descriptor that is closed or a signal may end it as well. */
enum ended { BY_TIMEOUT, BY_SIGNAL, BY_READY, BY_ERROR };
#define WAIT_KINDS 12

/*
 * One wait of `kind` for `ns` on `fd` (-1: on nothing). Counts it, and counts it as early when it
 * ended by timeout before its time.
 */
enum ended one_wait(unsigned kind, long ns, int fd);

/* Says what is wrong, once, and counts it. */
void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));

struct storm {
    const char *name;
    void (*run)(void); /* until `over` */
};
extern const struct storm storms[];

#endif
