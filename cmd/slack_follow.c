/* Looking again and again: the live table, then what the whole time showed. */
#include "command.h"
#include "slack.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static pid_t told; /* the command, which a SIGTERM is meant for as well */

static void stop(int signal)
{
    stopped = !told;
    if (told) {
        kill(told, signal);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t screen_lines(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 8 ? size.ws_row - 5U : 20;
}

/* Since the last look; on a terminal it takes the place of the one before. */
static void show_live(struct slack_view *view, double seconds)
{
    const struct slack_stats *s = &view->stats;
    if (isatty(STDOUT_FILENO)) {
        fputs("\033[H\033[J", stdout);
    }
    printf("after %.0f s: %llu waits set a timer, %llu ended by timeout, %llu woken early, %llu "
           "interrupted\n\n",
           seconds, (unsigned long long)s->armed, (unsigned long long)s->timed_out,
           (unsigned long long)s->woken_early, (unsigned long long)s->interrupted);
    slack_show_top(stdout, view, screen_lines());
    putchar('\n');
    fflush(stdout);
}

struct follow {
    const struct slack_maps *maps;
    const struct slack_options *o;
    struct slack_samples *samples;
    struct slack_view first, last; /* at the beginning, at the last live table */
    double began, shown;
};

static bool look_live(struct follow *f)
{
    struct slack_view view, copy;
    if (!slack_look(f->maps, f->o, &view) || !slack_look(f->maps, f->o, &copy)) {
        return false;
    }
    slack_since(&view, &f->last);
    show_live(&view, now() - f->began);
    slack_free(&view);
    slack_free(&f->last);
    f->last = copy;
    f->shown = now();
    return true;
}

/* Naps in short steps: the samples' buffer has to be emptied, the end of the command seen. */
static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

static bool is_over(const struct follow *f, pid_t command, int *status)
{
    if (command && waitpid(command, status, WNOHANG) == command) {
        return true;
    }
    return stopped || (f->o->seconds > 0 && now() - f->began >= f->o->seconds);
}

static int run(struct follow *f, pid_t command)
{
    int status = 0;
    double interval = f->o->interval > 0 ? f->o->interval : 1;
    bool live = f->o->format == RENDER_TABLE && (f->o->interval > 0 || isatty(STDOUT_FILENO));
    /* A command may have the terminal to itself, unless an interval was asked for. */
    live = live && (!command || f->o->interval > 0);
    f->began = f->shown = now();
    while (!is_over(f, command, &status)) {
        nap();
        slack_samples_drain(f->samples);
        if (live && now() - f->shown >= interval && !look_live(f)) {
            return EXIT_OURS;
        }
    }
    slack_samples_drain(f->samples);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static bool show_result(struct follow *f)
{
    struct slack_view view;
    if (!slack_look(f->maps, f->o, &view)) {
        return false;
    }
    slack_since(&view, &f->first);
    bool drawn = !f->o->plot || slack_plot(f->o->plot, &view);
    slack_show(stdout, f->o->format, &view);
    slack_free(&view);
    return finish_output(stdout) == 0 && drawn;
}

void slack_catch_signals(pid_t command)
{
    struct sigaction action = {.sa_handler = command ? SIG_IGN : stop};
    told = command;
    sigaction(SIGINT, &action, NULL); /* the command gets its own from the terminal */
    action.sa_handler = stop;
    sigaction(SIGTERM, &action, NULL);
}

int slack_follow(const struct slack_maps *maps, const struct slack_options *o, pid_t command)
{
    struct follow f = {.maps = maps, .o = o};
    if (o->samples && !(f.samples = slack_samples_open(o->samples, maps->samples))) {
        return EXIT_OURS;
    }
    /* A pinned probe has counted before; one of our own from zero, and the command may be waiting
     * already. */
    if (maps->pinned && (!slack_look(maps, o, &f.first) || !slack_look(maps, o, &f.last))) {
        return EXIT_OURS;
    }
    int code = run(&f, command);
    bool whole = !o->samples || slack_samples_close(f.samples);
    bool shown = show_result(&f);
    slack_free(&f.first);
    slack_free(&f.last);
    return shown && whole ? code : EXIT_OURS;
}
