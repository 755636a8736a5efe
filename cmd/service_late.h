/* How late a service's process ends its waits, where somebody counts. */
#ifndef HRTIMEOUT_SERVICE_LATE_H
#define HRTIMEOUT_SERVICE_LATE_H

#include <sys/types.h>

/* "50 %: 1.2 us, 99 %: 8.0 us"; NULL when nobody counts. `stats`: its statistics file, or NULL. */
char *service_late(pid_t pid, const char *stats);

#endif
