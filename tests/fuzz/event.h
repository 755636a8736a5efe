/* What happens to a wait from outside: a signal, another thread's action, a stop. */
#ifndef FUZZ_EVENT_H
#define FUZZ_EVENT_H

#include "program.h"

#include <setjmp.h>
#include <signal.h>

/* How long after its planned moment something may come and the op still be what was planned. */
#define GUARD (1 * MS)
/* The second event of an op, if it has two, comes this long after the first. */
#define SECOND (3 * MS)
/* How long a stop lasts. */
#define STOPPED (2 * MS)

struct handled {
    int count;
    int64_t when;  /* of the last one */
    bool silent;   /* a race: whether it ran is looked at, not traced */
    bool may_jump; /* `back` is valid */
    sigjmp_buf back;
    enum call inner; /* what a nested handler calls */
};
extern volatile struct handled handled;

int role_signal(enum role role);
void signals_set_up(void);

/* Arms what the op plans, as seen from `start`; then what remains of it is taken back. */
void events_arm(const struct op *op, int64_t start);
void events_settle(const struct op *op);
/* When the other thread began and ended its action; 0 when there was none. */
extern int64_t acted_from, acted_to;

/* Was each event on time, and did the wait end at a moment that isn't between two of them? */
bool events_clean(const struct op *op, int64_t start, int64_t before, int64_t after,
                  bool interrupted);

/* A short wait of the given kind, as a handler would make; its result. */
int inner_wait(enum call call);

#endif
