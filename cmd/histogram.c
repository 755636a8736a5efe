/* Percentiles and bars from a log-linear histogram. */
#include "render.h"

#include <string.h>

#define BARS      40
#define MOST_BINS 20

uint64_t histogram_count(const struct histogram *h)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < HIST_SLOTS; i++) {
        n += h->slot[i];
    }
    return n;
}

/* Where in its slot a rank lies is unknown: spread evenly, and never above the largest seen. */
uint64_t histogram_quantile(const struct histogram *h, unsigned permille)
{
    uint64_t count = histogram_count(h), below = 0;
    if (!count) {
        return 0;
    }
    uint64_t rank = (uint64_t)(((unsigned __int128)count * permille + 999) / 1000);
    rank += rank == 0;
    for (unsigned i = 0; i < HIST_SLOTS; i++) {
        if (below + h->slot[i] >= rank) {
            double part = ((double)(rank - below) - 0.5) / (double)h->slot[i];
            double width = i + 1 < HIST_SLOTS ? (double)(hist_floor(i + 1) - hist_floor(i)) : 0;
            uint64_t ns = (uint64_t)hist_floor(i) + (uint64_t)(part * width);
            return h->max_ns && ns > h->max_ns ? h->max_ns : ns;
        }
        below += h->slot[i];
    }
    return h->max_ns;
}

const char *ns_text(uint64_t ns, char to[static NS_TEXT])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = (double)ns;
    unsigned unit = 0;
    while (value >= 999.5 && unit < 3) {
        value /= 1000;
        unit++;
    }
    int digits = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(to, NS_TEXT, "%.*f %s", digits, value, units[unit]);
    return to;
}

static void print_bin(FILE *to, unsigned from, unsigned steps, uint64_t n, uint64_t most)
{
    char low[NS_TEXT], high[NS_TEXT], bar[BARS + 1];
    unsigned next = from + steps;
    size_t length = (size_t)((double)n * BARS / (double)most + 0.5);
    memset(bar, '#', length);
    bar[length] = '\0';
    ns_text((uint64_t)hist_floor(from), low);
    if (next < HIST_SLOTS) {
        ns_text((uint64_t)hist_floor(next), high);
    } else {
        strcpy(high, "more");
    }
    fprintf(to, "%12s .. %-10s %8llu |%-*s|\n", low, high, (unsigned long long)n, BARS, bar);
}

/* The finest classes (8, 4, 2 or 1 an octave, then several octaves) that fit a screen. */
void histogram_print(FILE *to, const struct histogram *h)
{
    unsigned first = HIST_SLOTS, last = 0, steps = 1;
    for (unsigned i = 0; i < HIST_SLOTS; i++) {
        if (h->slot[i]) {
            first = first == HIST_SLOTS ? i : first;
            last = i;
        }
    }
    if (first == HIST_SLOTS) {
        return;
    }
    while (last / steps - first / steps >= MOST_BINS) {
        steps *= 2;
    }
    uint64_t bins[MOST_BINS] = {0}, most = 0;
    unsigned base = first / steps, count = last / steps - base + 1;
    for (unsigned i = first; i <= last; i++) {
        uint64_t n = bins[i / steps - base] += h->slot[i];
        most = n > most ? n : most;
    }
    for (unsigned i = 0; i < count; i++) {
        print_bin(to, (base + i) * steps, steps, bins[i], most);
    }
}
