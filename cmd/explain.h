/* What there is to say about the kernel here: facts, each with what it means for the user. */
#ifndef HRTIMEOUT_EXPLAIN_H
#define HRTIMEOUT_EXPLAIN_H

#include "grid.h"

/* Adds a fact. `number` in `unit` is for programs; `unit` NULL: there is none. Strings are kept. */
void explain_add(struct grid *facts, const char *what, const char *value, const char *meaning,
                 uint64_t number, const char *unit);

void explain_clock(struct grid *facts);
void explain_slack(struct grid *facts);
void explain_calls(struct grid *facts);
void explain_probe(struct grid *facts);
void explain_quota(struct grid *facts);
void explain_idle(struct grid *facts);
void explain_filter(struct grid *facts);

/* The first line of a file without its newline, NULL when it can't be read. */
char *explain_line(const char *path);

#endif
