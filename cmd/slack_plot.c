/* The distribution of lateness of the busiest lines, drawn by gnuplot. */
#include "command.h"
#include "plot.h"
#include "slack.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MOST_CURVES 8

/* Lateness in us against the percentage of waits that are no later. */
static void put_curve(FILE *to, const struct slack_line *line)
{
    uint64_t below = 0;
    for (unsigned i = 0; i < HIST_SLOTS - 1; i++) {
        bool edge = line->hist[i] || (i && line->hist[i - 1]);
        below += line->hist[i];
        if (edge) {
            fprintf(to, "%g %g\n", (double)hist_floor(i + 1) / 1000,
                    (double)below * 100 / (double)line->waits);
        }
    }
    fputs("e\n", to);
}

static void put_script(FILE *to, const char *file, const struct slack_view *view, size_t curves)
{
    fprintf(to, "set terminal %s noenhanced\nset output ", plot_terminal(file));
    plot_quoted(to, file);
    fputs("\nset logscale x\nset grid\nset key bottom right\nset yrange [0:100]\n"
          "set xlabel 'lateness of waits that ended by timeout [us]'\n"
          "set ylabel 'waits no later [%]'\nplot ",
          to);
    for (size_t i = 0; i < curves; i++) {
        char title[96];
        const struct slack_line *line = &view->lines[i];
        snprintf(title, sizeof(title), "%.15s[%u] %s%s", line->key.comm, line->key.tgid,
                 slack_call_name(line->key.call), line->library ? ", by the library" : "");
        fputs(i ? ", '-' with steps lw 2 title " : "'-' with steps lw 2 title ", to);
        plot_quoted(to, title);
    }
    fputc('\n', to);
    for (size_t i = 0; i < curves; i++) {
        put_curve(to, &view->lines[i]);
    }
}

bool slack_plot(const char *file, struct slack_view *view)
{
    size_t curves = view->count < MOST_CURVES ? view->count : MOST_CURVES;
    if (!curves) {
        fail("slack: no wait ended by timeout: there is nothing to draw");
        return false;
    }
    slack_sort(view);
    signal(SIGPIPE, SIG_IGN);
    FILE *gnuplot = popen("exec gnuplot >&2", "w");
    if (!gnuplot) {
        fail("slack: can't run gnuplot: %s", strerror(errno));
        return false;
    }
    put_script(gnuplot, file, view, curves);
    int status = pclose(gnuplot);
    if (status != 0) {
        fail("slack: gnuplot couldn't draw %s", file);
        return false;
    }
    return true;
}
