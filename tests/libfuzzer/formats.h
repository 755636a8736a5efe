/* Whether a text is what its format allows. */
#ifndef LIBFUZZER_FORMATS_H
#define LIBFUZZER_FORMATS_H

#include <stdbool.h>

/* One JSON value and a newline, in UTF-8. */
bool is_json(const char *text);

/* UTF-8 without a control character but the newline: nothing that a terminal obeys. */
bool is_plain_text(const char *text);

/* Prometheus' text: comments, and lines NAME{LABEL="...",...} NUMBER, no series twice. */
bool is_metrics(const char *text);

#endif
