/* What the command makes of any counts: a table, JSON, OpenMetrics. The bytes: the records. */
#include "report.h"
#include "input.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct stats_file counted;
    static FILE *nowhere;
    if (!nowhere) {
        nowhere = fopen("/dev/null", "we");
    }
    memset(&counted, 0, sizeof(counted));
    size_t at = size > 1 ? (size_t)data[0] * 128 % sizeof(counted) : 0;
    size_t fits = sizeof(counted) - at;
    memcpy((char *)&counted + at, data, size < fits ? size : fits);
    struct report_about about = {"program", "timer", (int64_t)size << 40, 1};
    report(nowhere, RENDER_TABLE, &counted, &about);
    report(nowhere, RENDER_JSON, &counted, &about);
    report(nowhere, RENDER_OPENMETRICS, &counted, &about);
    return 0;
}
