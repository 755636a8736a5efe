#include "waits.h"

#include "../bpf/slack.h"
#include "clock.h"
#include "old_glibc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Rows looked at from a process's first one before it starts to look for rows of the ended. */
#define WINDOW 32

struct waits_row *waits_rows;
static struct slack_fine *fine_rows;
static pid_t opener; /* who ran the constructor: this process, or one that it was forked from */
static char opener_comm[SLACK_COMM];

/*
 * What this process has claimed, in a page that the kernel empties in a forked child. So the child
 * finds that it has no rows yet, without asking for its id at every wait and without
 * pthread_atfork.
 */
static struct claims {
    pid_t pid;
    struct waits_row *row[CALL_COUNT];
} * claims;

/* The pinned map at `path`, if it is what it should be; `offset` and `size` say which part. */
static void *map_pinned(const char *path, uint32_t value_size, uint32_t entries, size_t offset,
                        size_t size)
{
    union bpf_attr attr;
    struct bpf_map_info info = {0};
    void *map = MAP_FAILED;
    memset(&attr, 0, sizeof(attr));
    attr.pathname = (uint64_t)(uintptr_t)path;
    int fd = (int)syscall(SYS_bpf, BPF_OBJ_GET, &attr, sizeof(attr));
    if (fd < 0) {
        return NULL;
    }
    memset(&attr, 0, sizeof(attr));
    attr.info.bpf_fd = (uint32_t)fd;
    attr.info.info_len = sizeof(info);
    attr.info.info = (uint64_t)(uintptr_t)&info;
    if (syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)) == 0 &&
        info.type == BPF_MAP_TYPE_ARRAY && info.value_size == value_size &&
        info.max_entries == entries && info.map_flags & BPF_F_MMAPABLE) {
        map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    }
    close(fd);
    return map == MAP_FAILED ? NULL : map;
}

/* Process ids in the map are the machine's; a container's own would be taken for somebody else's.
 */
static bool has_machine_ids(void)
{
    static const char initial[] = "pid:[4026531836]";
    char target[sizeof(initial)];
    return syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/ns/pid", target, sizeof(target)) ==
               sizeof(initial) - 1 &&
           memcmp(target, initial, sizeof(initial) - 1) == 0;
}

/* System calls by number: each name of libc's would be looked up at every program's start. */
static struct claims *map_claims(void)
{
    size_t page = getauxval(AT_PAGESZ);
    void *map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) {
        return NULL;
    }
    if (syscall(SYS_madvise, map, page, MADV_WIPEONFORK) != 0) {
        munmap(map, page);
        return NULL;
    }
    return map;
}

/* From now on the kernel's rows of this process, its children and theirs say so. */
static void mark_loaded(void)
{
    size_t page = getauxval(AT_PAGESZ);
    size_t word = (size_t)opener / 64, offset = word * sizeof(uint64_t) / page * page;
    uint64_t *words = map_pinned(SLACK_PIN_LOADED, sizeof(uint64_t), LOADED_WORDS, offset, page);
    if (words) {
        __atomic_fetch_or(&words[word - offset / sizeof(uint64_t)], UINT64_C(1) << opener % 64,
                          __ATOMIC_RELAXED);
        munmap(words, page);
    }
}

static uint32_t first_of(pid_t pid)
{
    return (uint32_t)pid * 2654435761U % WAITS_OTHERS;
}

static struct waits_row *row_at(uint32_t first, uint32_t i)
{
    return &waits_rows[(first + i) % WAITS_OTHERS];
}

static bool is_ended(pid_t pid)
{
    return syscall(SYS_tkill, pid, 0) != 0 && errno == ESRCH;
}

/* Done at start, since a wait may make no system call to ask whether a process still lives. */
static void reuse_ended(pid_t pid)
{
    uint32_t first = first_of(pid);
    for (uint32_t i = 0; i < WINDOW; i++) {
        struct waits_row *row = row_at(first, i);
        uint64_t owner = __atomic_load_n(&row->owner, __ATOMIC_RELAXED);
        if (!owner || (pid_t)owner <= 0 || !is_ended((pid_t)owner) ||
            !__atomic_compare_exchange_n(&row->owner, &owner, WAITS_BUSY | (uint32_t)pid, false,
                                         __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            continue;
        }
        memset(&fine_rows[row - waits_rows], 0, sizeof(*fine_rows));
        memset((char *)row + sizeof(row->owner), 0, sizeof(*row) - sizeof(row->owner));
        __atomic_store_n(&row->owner, 0, __ATOMIC_RELEASE);
    }
}

/* Ended processes' figures are kept as long as there is room. */
static bool is_crowded(pid_t pid)
{
    uint32_t first = first_of(pid), taken = 0;
    for (uint32_t i = 0; i < WINDOW; i++) {
        taken += __atomic_load_n(&row_at(first, i)->owner, __ATOMIC_RELAXED) != 0;
    }
    return taken > WINDOW - CALL_COUNT;
}

static bool open_all(void)
{
    if (access(SLACK_PIN_WAITS, R_OK | W_OK) != 0 || !has_machine_ids()) {
        return false;
    }
    opener = (pid_t)syscall(SYS_getpid);
    syscall(SYS_prctl, PR_GET_NAME, opener_comm, 0, 0, 0);
    claims = map_claims();
    fine_rows = map_pinned(SLACK_PIN_FINE, sizeof(struct slack_fine), WAITS_ROWS, 0,
                           WAITS_ROWS * sizeof(struct slack_fine));
    struct waits_row *rows =
        map_pinned(SLACK_PIN_WAITS, sizeof(*rows), WAITS_ROWS, 0, WAITS_ROWS * sizeof(*rows));
    if (!claims || !fine_rows || !rows) {
        return false;
    }
    claims->pid = opener;
    waits_rows = rows;
    return true;
}

void waits_open(void)
{
    int saved = errno;
    if (open_all()) {
        if (is_crowded(opener)) {
            reuse_ended(opener);
        }
        mark_loaded();
    }
    errno = saved;
}

/*
 * The calling thread's id without a system call, which a filter might punish: its CPU clock's id is
 * made from it. In a child that thread is the first and its id the process's.
 */
static pid_t thread_id(void)
{
    clockid_t clock;
    return own_cpu_clock(&clock) ? ~(clock >> 3) : opener;
}

static void name_row(struct waits_row *row, enum stat_call call, pid_t pid)
{
    row->call = call;
    row->parent = pid == opener ? 0 : (uint32_t)opener;
    row->since_ns = (uint64_t)clock_now(CLOCK_BOOTTIME);
    memcpy(row->comm, opener_comm, sizeof(row->comm));
}

/* The row of all processes that found none. Whoever comes at the same time writes the same. */
static struct waits_row *shared_row(enum stat_call call)
{
    struct waits_row *row = &waits_rows[WAITS_OTHERS + call];
    if (!__atomic_load_n(&row->owner, __ATOMIC_ACQUIRE)) {
        row->call = call;
        memcpy(row->comm, "(others)", sizeof("(others)"));
        __atomic_store_n(&row->owner, WAITS_SHARED, __ATOMIC_RELEASE);
    }
    return row;
}

static struct waits_row *free_row(enum stat_call call, pid_t pid)
{
    uint32_t first = first_of(pid);
    for (uint32_t i = 0; i < WAITS_OTHERS; i++) {
        struct waits_row *row = row_at(first, i);
        uint64_t free = 0;
        if (__atomic_compare_exchange_n(&row->owner, &free, WAITS_BUSY | (uint32_t)pid, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            name_row(row, call, pid);
            __atomic_store_n(&row->owner, (uint64_t)pid, __ATOMIC_RELEASE);
            return row;
        }
    }
    return shared_row(call);
}

/* Two threads, or a thread and its signal handler, may come here at once: one row is given back. */
static struct waits_row *claim(enum stat_call call)
{
    pid_t pid = claims->pid;
    if (!pid) {
        pid = claims->pid = thread_id();
    }
    struct waits_row *mine = free_row(call, pid), *before = NULL;
    if (__atomic_compare_exchange_n(&claims->row[call], &before, mine, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE)) {
        return mine;
    }
    if (mine < waits_rows + WAITS_OTHERS) {
        __atomic_store_n(&mine->owner, 0, __ATOMIC_RELEASE);
    }
    return before;
}

static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

void waits_record(enum stat_call call, int64_t late)
{
    if (!waits_rows) {
        return;
    }
    uint64_t ns = late < 0 ? 0 : (uint64_t)late;
    struct waits_row *row = __atomic_load_n(&claims->row[call], __ATOMIC_ACQUIRE);
    if (!row) {
        row = claim(call);
    }
    add(&row->waits, 1);
    add(&row->late_sum_ns, ns);
    add((uint64_t *)&row->late + slack_bucket(ns), 1);
    add(&fine_rows[row - waits_rows].hist[hist_slot((int64_t)ns)], 1);
    uint64_t max = __atomic_load_n(&row->late_max_ns, __ATOMIC_RELAXED);
    while (max < ns && !__atomic_compare_exchange_n(&row->late_max_ns, &max, ns, true,
                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
