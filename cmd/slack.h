/* hrtimeout slack: what its files share. The probe itself is in bpf/. */
#ifndef HRTIMEOUT_SLACK_H
#define HRTIMEOUT_SLACK_H

#include "../bpf/slack.h"
#include "render.h"

#include <stdbool.h>
#include <sys/types.h>

struct slack_options {
    pid_t pid; /* 0: none */
    const char *comm;
    const char *unit;
    const char *cgroup;
    char **command; /* NULL-terminated, or NULL */
    bool all;
    double seconds;  /* 0: until interrupted, or the command's end */
    double interval; /* between two looks; 0: not given */
    const char *plot, *samples, *textfile;
    enum render_format format;
    bool pin, unpin, world, totals, compat;
    bool stages; /* also what the kernel saw of processes that the library counts itself */
};

/* One line of the table: the kernel's row, or the library's. */
struct slack_line {
    struct slack_key key;
    bool library; /* counted by the library itself: no parts */
    uint64_t waits, late_sum_ns, late_max_ns;
    struct slack_parts parts;
    uint64_t hist[HIST_SLOTS];
};

struct slack_view {
    struct slack_line *lines;
    size_t count, room;
    struct slack_stats stats;
};

/* File descriptors of the maps, whether of a probe of our own or of the pinned one. -1: none. */
struct slack_maps {
    int rows, fine, stats, waits, waits_fine, samples;
    bool pinned; /* only then the library fills `waits` */
};

struct slack_bpf;
struct slack_samples;

/* slack_probe.c: loading, attaching. NULL after a message. */
struct slack_bpf *slack_load(const struct slack_options *o);
bool slack_attach(struct slack_bpf *probe, const struct slack_options *o);
bool slack_watch(struct slack_bpf *probe, pid_t tgid);
bool slack_pin_probe(const struct slack_bpf *probe);
void slack_maps_of(const struct slack_bpf *probe, struct slack_maps *maps);

/* slack_missing.c: says what this kernel or this user lacks. False after a message. */
bool slack_may_load(void);
bool slack_has_tracefs(void);
bool slack_has_bpffs(void);
/* Keeps libbpf's warnings back; the first of them since the last call is the reason for a failure.
 */
void slack_hush_libbpf(void);
const char *slack_libbpf_said(void);

/* slack_pin.c */
bool slack_lock(void); /* one probe at a time; held until the process ends */
bool slack_is_pinned(void);
int slack_pin(const struct slack_options *o);
int slack_unpin(void);
bool slack_open_pinned(struct slack_maps *maps);

/* slack_target.c */
bool slack_cgroup(const struct slack_options *o, uint64_t *id, int *depth);
/* A child that waits to be let go before it becomes the command. -1 after a message. */
pid_t slack_spawn(char **command, int *go);
void slack_let_go(int go);

/* slack_view.c: what the maps hold now. */
bool slack_look(const struct slack_maps *maps, const struct slack_options *o,
                struct slack_view *view);
/* Takes `before` off `now`; lines where nothing happened go. */
void slack_since(struct slack_view *now, const struct slack_view *before);
/* One line for all processes of a name. */
void slack_by_name(struct slack_view *view);
void slack_sort(struct slack_view *view); /* the latest first */
void slack_free(struct slack_view *view);

/* slack_fold.c: the rows of processes that have ended, one a name, so that the map doesn't fill. */
void slack_fold(const struct slack_maps *maps);

/* slack_show.c */
void slack_show(FILE *to, enum render_format format, struct slack_view *view);
/* The first lines only, for a screen of so many rows. */
void slack_show_top(FILE *to, struct slack_view *view, size_t rows);
const char *slack_call_name(enum stat_call call);
uint64_t slack_quantile(const struct slack_line *line, unsigned permille);

/* slack_verdict.c: in words, what a line's lateness comes from and what helps. */
const char *slack_verdict(const struct slack_line *line);

/* slack_follow.c: looks until the end of `command` (0: none) or of the time. The exit code. */
void slack_catch_signals(pid_t command); /* before the probe is attached */
int slack_follow(const struct slack_maps *maps, const struct slack_options *o, pid_t command);

/* slack_textfile.c, slack_plot.c. False after a message. */
bool slack_textfile(const char *directory, struct slack_view *view);
bool slack_plot(const char *file, struct slack_view *view);

/* slack_samples.c: every single wait, as lines of comma-separated values. */
struct slack_samples *slack_samples_open(const char *path, int map);
void slack_samples_drain(struct slack_samples *samples);
bool slack_samples_close(struct slack_samples *samples);

#endif
