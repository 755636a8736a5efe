/* Draws two distributions of lateness with gnuplot. */
#ifndef HRTIMEOUT_PLOT_H
#define HRTIMEOUT_PLOT_H

#include "render.h"

struct plot {
    const char *file;  /* ends in .png or .svg */
    const char *title; /* any text */
    const char *names[2];
    struct histogram late[2];
};

/* Whether plot_draw() can work, asked before any time is spent. False after a message. */
bool plot_check(const char *file);

/* gnuplot's terminal for a file that plot_check() let pass, and a string in its quotes. */
const char *plot_terminal(const char *file);
void plot_quoted(FILE *to, const char *text);

/* 0, or EXIT_OURS after a message. */
int plot_draw(const struct plot *plot);

#endif
