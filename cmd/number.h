/* Numbers from the command line: all of the text, or none of it. */
#ifndef HRTIMEOUT_NUMBER_H
#define HRTIMEOUT_NUMBER_H

#include <stdbool.h>

/* Digits and nothing else, from `least` to `most`. False, and nothing changed: it isn't that. */
bool number_of(const char *text, unsigned long least, unsigned long most, unsigned long *number);

/* "2", "0.5" or "1e-3": above 0 and below 1e9. */
bool seconds_of(const char *text, double *seconds);

#endif
