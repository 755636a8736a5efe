/* What the library counted, worded: run --report, report and compare share it. */
#ifndef HRTIMEOUT_REPORT_H
#define HRTIMEOUT_REPORT_H

#include "render.h"

struct report_about {
    const char *command;        /* NULL: not known */
    const char *mode;           /* NULL: not known */
    int64_t elapsed_ns, cpu_ns; /* 0: not known */
};

extern const char *const call_names[CALL_COUNT];

/* The histogram inside a record, by reference. */
struct histogram report_late(const struct stat_record *record);

void report(FILE *to, enum render_format format, const struct stats_file *stats,
            const struct report_about *about);

#endif
