/* Read, not measured: quotas, idle states and what the probe needs. */
#include "explain.h"

#include <mntent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef BPF_FS_MAGIC
#define BPF_FS_MAGIC 0xcafe4a11
#endif
#define BTF "/sys/kernel/btf/vmlinux"

void explain_probe(struct grid *facts)
{
    struct statfs fs;
    bool btf = access(BTF, R_OK) == 0;
    bool bpffs = statfs("/sys/fs/bpf", &fs) == 0 && (unsigned long)fs.f_type == BPF_FS_MAGIC;
    explain_add(facts, "kernel BTF", btf ? "present" : "absent",
                btf ? "The probe (hrtimeout slack) can be loaded."
                    : "The probe can't be loaded: the kernel needs CONFIG_DEBUG_INFO_BTF.",
                btf, "present");
    explain_add(facts, "bpffs", bpffs ? "mounted" : "not mounted",
                bpffs ? "The probe's maps can be pinned for bpftool."
                      : "To pin the probe's maps: mount -t bpf bpf /sys/fs/bpf",
                bpffs, "present");
}

/* This process's group in the hierarchy of `controller` ("" for version 2). */
static char *group_of(const char *controller)
{
    char line[4096];
    FILE *file = fopen("/proc/self/cgroup", "re");
    char *group = NULL;
    while (file && !group && fgets(line, sizeof(line), file)) {
        char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
        if (!path) {
            continue;
        }
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        bool found = !*controller && !list[1];
        char *rest = list + 1, *word;
        while (*controller && (word = strsep(&rest, ","))) {
            found |= strcmp(word, controller) == 0;
        }
        group = found ? text_of("%s", path) : NULL;
    }
    if (file) {
        fclose(file);
    }
    return group;
}

static char *mount_of(const char *type, const char *option)
{
    char *directory = NULL;
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    struct mntent *m;
    while (mounts && !directory && (m = getmntent(mounts))) {
        if (strcmp(m->mnt_type, type) == 0 && (!option || hasmntopt(m, option))) {
            directory = text_of("%s", m->mnt_dir);
        }
    }
    if (mounts) {
        endmntent(mounts);
    }
    return directory;
}

/* The share of cores that one group may use, in percent; 0: no limit. */
static double quota_at(const char *directory, bool v2)
{
    double quota = 0, period = 100000;
    char *line = explain_line(text_of("%s/%s", directory, v2 ? "cpu.max" : "cpu.cfs_quota_us"));
    if (!line || sscanf(line, "%lf %lf", &quota, &period) < 1 || quota <= 0) {
        return 0;
    }
    if (!v2) {
        char *text = explain_line(text_of("%s/cpu.cfs_period_us", directory));
        period = text ? strtod(text, NULL) : period;
    }
    double percent = quota * 100 / period;
    return period > 0 && percent < 1e10 ? percent : 0; /* no kernel has larger ones */
}

/* The tightest quota from this process's group up to the root. */
static double quota_of(bool v2)
{
    char *mount = mount_of(v2 ? "cgroup2" : "cgroup", v2 ? NULL : "cpu");
    char *group = group_of(v2 ? "" : "cpu");
    double tightest = 0;
    if (!mount || !group) {
        return 0;
    }
    for (;;) {
        double quota = quota_at(text_of("%s%s", mount, group), v2);
        tightest = quota > 0 && (tightest == 0 || quota < tightest) ? quota : tightest;
        char *slash = strrchr(group, '/');
        if (!slash) {
            return tightest;
        }
        *slash = '\0';
    }
}

void explain_quota(struct grid *facts)
{
    double v2 = quota_of(true), v1 = quota_of(false);
    double quota = v2 > 0 && (v1 == 0 || v2 < v1) ? v2 : v1;
    explain_add(facts, "CPU quota", quota > 0 ? text_of("%.0f %% of a core", quota) : "none",
                quota > 0 ? "Time spun in exact mode counts against it, and a throttled group "
                            "wakes tens of ms late: keep --cpu well below."
                          : "Spinning in exact mode is bounded by --cpu alone.",
                (uint64_t)quota, "percent of a core");
}

void explain_idle(struct grid *facts)
{
    char *deepest = NULL, *names = NULL;
    uint64_t latency = 0;
    for (int i = 0; i < 16; i++) {
        const char *base = "/sys/devices/system/cpu/cpu0/cpuidle/state";
        char *name = explain_line(text_of("%s%d/name", base, i));
        char *us = explain_line(text_of("%s%d/latency", base, i));
        char *off = explain_line(text_of("%s%d/disable", base, i));
        if (!name || !us) {
            break;
        }
        names = text_add(names, name);
        if (!(off && *off == '1') && strtoull(us, NULL, 10) >= latency) {
            latency = strtoull(us, NULL, 10);
            deepest = name;
        }
    }
    char *governor = explain_line("/sys/devices/system/cpu/cpuidle/current_governor");
    if (!deepest) {
        explain_add(facts, "idle states", names ? text_of("%s, all disabled", names) : "none seen",
                    "A sleeping core isn't slow to wake by its own doing; a hypervisor may add "
                    "its own time.",
                    0, "us");
        return;
    }
    explain_add(facts, "idle states",
                text_of("%s; leaving %s takes %llu us%s%s", names, deepest,
                        (unsigned long long)latency, governor ? "; governor " : "",
                        governor ? governor : ""),
                "Waking from the deepest state adds its time to every lateness; exact mode learns "
                "it. /dev/cpu_dma_latency forbids deep states.",
                latency, "us");
}
