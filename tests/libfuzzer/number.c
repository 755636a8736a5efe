/* Numbers of the command line: each is read as it is written, and nothing else is one. */
#include "number.h"
#include "input.h"

#include <math.h>
#include <stdio.h>

static void whole(const char *text)
{
    static const struct {
        unsigned long least, most;
    } ranges[] = {{1, INT32_MAX}, {1, 10000}, {0, UINT64_MAX}};
    for (size_t i = 0; i < 3; i++) {
        char back[32];
        unsigned long n = 0xabcdef;
        if (!number_of(text, ranges[i].least, ranges[i].most, &n)) {
            must(n == 0xabcdef);
            continue;
        }
        must(n >= ranges[i].least && n <= ranges[i].most);
        snprintf(back, sizeof(back), "%lu", n);
        size_t zeros = strspn(text, "0");
        must(strcmp(text + zeros, n ? back : "") == 0 && *text);
    }
}

static void fraction(const char *text)
{
    char back[64];
    double n = -1, again = -1;
    if (!seconds_of(text, &n)) {
        must(n == -1);
        return;
    }
    must(isfinite(n) && n > 0 && n < 1e9);
    must(*text != ' ' && *text != '+' && *text != '-' && !strpbrk(text, "xXnN"));
    snprintf(back, sizeof(back), "%.17g", n);
    must(seconds_of(back, &again) && again == n);
}

/* What is a number by construction is taken. */
static void written(uint64_t n)
{
    char text[64];
    unsigned long back = 0;
    double seconds = 0;
    snprintf(text, sizeof(text), "%lu", n);
    must(number_of(text, 0, UINT64_MAX, &back) && back == n);
    must(n == 0 || !number_of(text, 0, n - 1, &back));
    snprintf(text, sizeof(text), "%lu.%03lu", n % 1000000000, n % 1000);
    must(seconds_of(text, &seconds) == (n % 1000000000 || n % 1000));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {data, size};
    char *text = take_line(&in);
    whole(text);
    fraction(text);
    written((uint64_t)take(&in));
    free(text);
    return 0;
}
