/* What the probe needs and may not have: each is named before libbpf fails in its own words. */
#include "slack.h"

#include "command.h"

#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#ifndef CAP_PERFMON /* headers older than Linux 5.8 */
#define CAP_PERFMON 38
#define CAP_BPF     39
#endif

static char said[256];

static int keep_first(enum libbpf_print_level level, const char *format, va_list args)
{
    if (level == LIBBPF_WARN && !said[0]) {
        vsnprintf(said, sizeof(said), format, args);
        said[strcspn(said, "\n")] = '\0';
    }
    return 0;
}

void slack_hush_libbpf(void)
{
    libbpf_set_print(keep_first);
}

const char *slack_libbpf_said(void)
{
    static char last[sizeof(said)];
    memcpy(last, said, sizeof(last));
    said[0] = '\0';
    return last[0] ? last : "libbpf gives no reason";
}

static bool has(const struct __user_cap_data_struct *caps, unsigned cap)
{
    return caps[cap / 32].effective & 1U << cap % 32;
}

/* Names what is missing, "CAP_BPF, CAP_SYSLOG". */
static bool has_capabilities(void)
{
    static const struct {
        unsigned cap;
        const char *name, *why;
        bool by_admin; /* CAP_SYS_ADMIN stands for it */
    } needed[] = {
        {CAP_BPF, "CAP_BPF", "to load", true},
        {CAP_PERFMON, "CAP_PERFMON", "to trace", true},
        {CAP_SYSLOG, "CAP_SYSLOG", "for the address of hrtimer_wakeup in /proc/kallsyms", false},
    };
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3] = {{0}};
    syscall(SYS_capget, &head, caps);
    bool admin = has(caps, CAP_SYS_ADMIN);
    for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
        if (!has(caps, needed[i].cap) && !(needed[i].by_admin && admin)) {
            fail("slack: needs root, or CAP_BPF, CAP_PERFMON and CAP_SYSLOG (and "
                 "CAP_DAC_READ_SEARCH for tracefs); %s is missing (%s)",
                 needed[i].name, needed[i].why);
            return false;
        }
    }
    return true;
}

bool slack_may_load(void)
{
    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0) {
        fail("slack: no kernel BTF at /sys/kernel/btf/vmlinux: %s; the kernel has to be built with "
             "CONFIG_DEBUG_INFO_BTF, and /sys mounted",
             strerror(errno));
        return false;
    }
    return has_capabilities();
}

bool slack_has_tracefs(void)
{
    return access("/sys/kernel/tracing/events/syscalls/sys_exit_ppoll/id", R_OK) == 0 ||
           access("/sys/kernel/debug/tracing/events/syscalls/sys_exit_ppoll/id", R_OK) == 0;
}

bool slack_has_bpffs(void)
{
    struct statfs fs;
    if (statfs("/sys/fs/bpf", &fs) == 0 && fs.f_type == BPF_FS_MAGIC) {
        return true;
    }
    fail("slack: no BPF file system at /sys/fs/bpf to pin to; mount it with "
         "`mount -t bpf bpf /sys/fs/bpf`");
    return false;
}
