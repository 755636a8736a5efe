#include "number.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS "0123456789"

bool number_of(const char *text, unsigned long least, unsigned long most, unsigned long *number)
{
    /* strtoul() would take blanks and signs as well. */
    if (!*text || text[strspn(text, DIGITS)]) {
        return false;
    }
    errno = 0;
    unsigned long n = strtoul(text, NULL, 10);
    if (errno || n < least || n > most) {
        return false;
    }
    *number = n;
    return true;
}

bool seconds_of(const char *text, double *seconds)
{
    /* strtod() would take blanks, signs, hexadecimal digits and words as well. */
    if (!strchr(DIGITS ".", *text) || text[strspn(text, DIGITS ".eE+-")]) {
        return false;
    }
    char *end;
    double n = strtod(text, &end);
    if (end == text || *end || !(n > 0 && n < 1e9)) {
        return false;
    }
    *seconds = n;
    return true;
}
