/* Loading and attaching the probe. */
#include "command.h"
#include "slack.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "slack.skel.h"

/* restart_syscall is how a stopped and continued wait ends. */
static const char *const exits[] = {
    "sys_exit_select",          "sys_exit_pselect6",   "sys_exit_poll",
    "sys_exit_ppoll",           "sys_exit_epoll_wait", "sys_exit_epoll_pwait",
    "sys_exit_epoll_pwait2",    "sys_exit_nanosleep",  "sys_exit_clock_nanosleep",
    "sys_exit_restart_syscall",
};
#define EXITS (sizeof(exits) / sizeof(*exits))
static struct bpf_link *exit_links[EXITS];

static bool every_exit(const struct slack_options *o)
{
    return o->compat || !slack_has_tracefs();
}

static bool configure(struct slack_bpf *probe, const struct slack_options *o)
{
    int depth = 0;
    probe->rodata->by_tgid = o->pid || o->command;
    if (o->comm) {
        probe->rodata->by_comm = true;
        strncpy((char *)probe->rodata->wanted_comm, o->comm, SLACK_COMM - 1);
    }
    if (o->cgroup || o->unit) {
        uint64_t id;
        if (!slack_cgroup(o, &id, &depth)) {
            return false;
        }
        probe->rodata->by_cgroup = true;
        probe->rodata->wanted_cgroup = id;
        probe->rodata->cgroup_depth = depth;
    }
    probe->rodata->samples_wanted = o->samples != NULL;
    if (o->samples) {
        bpf_map__set_max_entries(probe->maps.samples, 1 << 22);
    }
    probe->rodata->with_32bit = every_exit(o);
    bpf_program__set_autoload(probe->progs.on_any_exit, every_exit(o));
    bpf_program__set_autoload(probe->progs.on_wait_exit, !every_exit(o));
    return true;
}

struct slack_bpf *slack_load(const struct slack_options *o)
{
    slack_hush_libbpf();
    if (!slack_may_load()) {
        return NULL;
    }
    struct slack_bpf *probe = slack_bpf__open();
    if (!probe) {
        fail("slack: can't open the probe: %s: %s", strerror(errno), slack_libbpf_said());
        return NULL;
    }
    if (!configure(probe, o)) {
        slack_bpf__destroy(probe);
        return NULL;
    }
    if (slack_bpf__load(probe) != 0) {
        fail("slack: the kernel doesn't take the probe: %s: %s", strerror(errno),
             slack_libbpf_said());
        slack_bpf__destroy(probe);
        return NULL;
    }
    return probe;
}

/* Where an architecture has no such system call there is no such event: then it isn't needed. */
static bool attach_exits(struct slack_bpf *probe)
{
    size_t attached = 0;
    for (size_t i = 0; i < EXITS; i++) {
        exit_links[i] =
            bpf_program__attach_tracepoint(probe->progs.on_wait_exit, "syscalls", exits[i]);
        attached += exit_links[i] != NULL;
    }
    return attached > 0;
}

bool slack_attach(struct slack_bpf *probe, const struct slack_options *o)
{
    if (!slack_has_tracefs() && !o->compat) {
        fputs("hrtimeout: slack: no tracefs at /sys/kernel/tracing, so every system call's exit is "
              "traced (about 0.2 us each); `mount -t tracefs tracefs /sys/kernel/tracing` avoids "
              "it\n",
              stderr);
    }
    /* The exits first: a wait that is armed is then sure to be seen ending. */
    if (!every_exit(o) && !attach_exits(probe)) {
        fail("slack: can't attach to the system calls' exits: %s", slack_libbpf_said());
        return false;
    }
    if (slack_bpf__attach(probe) != 0) {
        fail("slack: can't attach the probe: %s: %s", strerror(errno), slack_libbpf_said());
        return false;
    }
    return true;
}

bool slack_watch(struct slack_bpf *probe, pid_t tgid)
{
    uint32_t key = (uint32_t)tgid;
    uint8_t one = 1;
    return bpf_map_update_elem(bpf_map__fd(probe->maps.tgids), &key, &one, BPF_ANY) == 0;
}

void slack_maps_of(const struct slack_bpf *probe, struct slack_maps *maps)
{
    maps->rows = bpf_map__fd(probe->maps.slack);
    maps->fine = bpf_map__fd(probe->maps.slack_fine);
    maps->stats = bpf_map__fd(probe->maps.stats);
    maps->waits = bpf_map__fd(probe->maps.waits);
    maps->waits_fine = bpf_map__fd(probe->maps.waits_fine);
    maps->samples = bpf_map__fd(probe->maps.samples);
    maps->pinned = false;
}

static bool pin_link(struct bpf_link *link, const char *name)
{
    char path[128];
    snprintf(path, sizeof(path), SLACK_PINS "/links/%s", name);
    return !link || bpf_link__pin(link, path) == 0;
}

static bool pin_links(const struct slack_bpf *probe)
{
    for (size_t i = 0; i < EXITS; i++) {
        if (!pin_link(exit_links[i], exits[i])) {
            return false;
        }
    }
    return pin_link(probe->links.on_start, "on_start") &&
           pin_link(probe->links.on_expire, "on_expire") &&
           pin_link(probe->links.on_any_exit, "on_any_exit") &&
           pin_link(probe->links.on_fork, "on_fork") && pin_link(probe->links.on_exec, "on_exec") &&
           pin_link(probe->links.on_exit, "on_exit");
}

static bool pin_map(struct bpf_map *map)
{
    char path[128];
    snprintf(path, sizeof(path), SLACK_PINS "/%s", bpf_map__name(map));
    return bpf_map__pin(map, path) == 0;
}

/* The library looks for `waits`, so that comes last, when everything is there. */
static bool pin_maps(const struct slack_bpf *probe)
{
    return pin_map(probe->maps.slack) && pin_map(probe->maps.slack_fine) &&
           pin_map(probe->maps.stats) && pin_map(probe->maps.waits_fine) &&
           pin_map(probe->maps.loaded) && pin_map(probe->maps.waits);
}

bool slack_pin_probe(const struct slack_bpf *probe)
{
    if (pin_links(probe) && pin_maps(probe)) {
        return true;
    }
    fail("slack: can't pin under " SLACK_PINS ": %s", strerror(errno));
    return false;
}
