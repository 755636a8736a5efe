#include "plot.h"

#include "command.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Slots drawn as one step: four steps an octave. */
#define MERGED 2

const char *plot_terminal(const char *file)
{
    const char *dot = strrchr(file, '.');
    if (dot && strcmp(dot, ".png") == 0) {
        return "pngcairo size 900,480";
    }
    return dot && strcmp(dot, ".svg") == 0 ? "svg size 900,480 dynamic" : NULL;
}

static bool in_path(const char *program)
{
    char path[4096];
    const char *list = getenv("PATH");
    for (const char *p = list ? list : "/usr/bin:/bin"; *p; p += *p == ':') {
        size_t length = strcspn(p, ":");
        snprintf(path, sizeof(path), "%.*s/%s", (int)length, p, program);
        if (access(path, X_OK) == 0) {
            return true;
        }
        p += length;
    }
    return false;
}

bool plot_check(const char *file)
{
    if (!plot_terminal(file)) {
        fail("--plot takes a file that ends in .png or .svg, not '%s'", file);
        return false;
    }
    if (!in_path("gnuplot")) {
        fail("--plot needs gnuplot: install the package gnuplot-nox");
        return false;
    }
    return true;
}

/* A string for gnuplot: nothing is special inside single quotes but the quote itself. */
void plot_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        fputs(*text == '\'' ? "'" : "", to);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, to);
    }
    fputc('\'', to);
}

/* Where a step begins in us, and how many percent of all waits lie in it. */
static void put_steps(FILE *to, const struct histogram *h)
{
    double all = (double)histogram_count(h);
    bool before = true;
    for (unsigned slot = HIST_STEPS; slot + MERGED < HIST_SLOTS; slot += MERGED) {
        double n = (double)(h->slot[slot] + h->slot[slot + 1]);
        if (slot == HIST_STEPS) {
            for (unsigned i = 0; i < slot; i++) {
                n += (double)h->slot[i];
            }
        }
        before &= n == 0;
        if (!before || h->slot[slot + MERGED]) {
            fprintf(to, "%g %g\n", (double)hist_floor(slot) / 1000, all > 0 ? n * 100 / all : 0.0);
        }
    }
    fputs("e\n", to);
}

/* The octaves that hold samples of either, with one to spare at both ends. */
static void put_range(FILE *to, const struct plot *plot)
{
    unsigned first = HIST_SLOTS, last = 0;
    for (unsigned i = 0; i < HIST_SLOTS; i++) {
        if (plot->late[0].slot[i] || plot->late[1].slot[i]) {
            first = i < first ? i : first;
            last = i;
        }
    }
    first = first > 2 * HIST_STEPS ? first - HIST_STEPS : HIST_STEPS;
    last = last + HIST_STEPS < HIST_SLOTS ? last + HIST_STEPS : HIST_SLOTS - 1;
    fprintf(to, "set xrange [%g:%g]\nset xtics (", (double)hist_floor(first) / 1000,
            (double)hist_floor(last) / 1000);
    for (int decade = -2; decade < 9; decade++) {
        fprintf(to, "%s1e%d, 2e%d, 5e%d", decade > -2 ? ", " : "", decade, decade, decade);
    }
    fputs(")\n", to);
}

static void put_script(FILE *to, const struct plot *plot)
{
    fprintf(to, "set terminal %s noenhanced\nset output ", plot_terminal(plot->file));
    plot_quoted(to, plot->file);
    fputs("\nset title ", to);
    plot_quoted(to, plot->title);
    fputs("\nset logscale x\nset xlabel 'lateness in us'\nset ylabel 'percent of timed-out waits'\n"
          "set yrange [0:*]\nset grid\nset style fill transparent solid 0.4\n",
          to);
    put_range(to, plot);
    for (unsigned i = 0; i < 2; i++) {
        static const char *const colours[] = {"#c04040", "#2060c0"};
        char name[64], median[NS_TEXT];
        snprintf(name, sizeof(name), "%s, median %s", plot->names[i],
                 ns_text(histogram_quantile(&plot->late[i], 500), median));
        fprintf(to, "%s '-' with fillsteps lc rgb '%s' title ", i ? "," : "plot", colours[i]);
        plot_quoted(to, name);
    }
    fputc('\n', to);
    put_steps(to, &plot->late[0]);
    put_steps(to, &plot->late[1]);
}

int plot_draw(const struct plot *plot)
{
    if (!histogram_count(&plot->late[0]) || !histogram_count(&plot->late[1])) {
        return fail("nothing to plot: no wait ended by timeout");
    }
    signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("exec gnuplot", "w");
    if (!gnuplot) {
        return fail("can't start gnuplot: %s", strerror(errno));
    }
    put_script(gnuplot, plot);
    int status = pclose(gnuplot);
    if (status != 0) {
        return fail("gnuplot couldn't draw %s", plot->file);
    }
    return 0;
}
