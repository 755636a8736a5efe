#include "stats.h"

#include "clock.h"
#include "deadline.h"
#include "notice.h"
#include "old_glibc.h"
#include "policy.h"
#include "waits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct stats_file *stats;

/* Where nobody looks: see stats_keep_private(). */
static struct stats_file own;

static void add(uint64_t *to, uint64_t n)
{
    __atomic_fetch_add(to, n, __ATOMIC_RELAXED);
}

static void raise_to(uint64_t *to, uint64_t n)
{
    uint64_t old = __atomic_load_n(to, __ATOMIC_RELAXED);
    while (old < n &&
           !__atomic_compare_exchange_n(to, &old, n, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}

/* A file with holes would be a SIGBUS here once its file system is full: it has to be all there. */
static bool is_whole(const struct stat64 *st)
{
    return S_ISREG(st->st_mode) && st->st_size == (off64_t)sizeof(struct stats_file) &&
           (int64_t)st->st_blocks * 512 >= (int64_t)sizeof(struct stats_file);
}

static struct stats_file *map(int fd)
{
    struct stat64 st;
    if (file_status(fd, &st) != 0 || !is_whole(&st)) {
        return NULL;
    }
    struct stats_file *file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (file == MAP_FAILED) {
        return NULL;
    }
    if (memcmp(file->magic, STATS_MAGIC, sizeof(file->magic)) != 0 ||
        file->version != STATS_VERSION || file->size != sizeof(*file)) {
        munmap(file, sizeof(*file));
        return NULL;
    }
    return file;
}

void stats_open(const char *path)
{
    int saved = errno;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0) {
        stats = map(fd);
        close(fd);
    }
    if (stats) {
        add(&stats->processes, 1);
    }
    errno = saved;
}

void stats_keep_private(void)
{
    if (!stats) {
        stats = &own;
    }
}

void stats_count_did(enum stat_call call, enum stat_did what)
{
    add(&stats->call[call].did[what], 1);
}

void stats_count_spun(enum stat_call call, int64_t ns)
{
    if (ns > 0) {
        add(&stats->call[call].spun_ns, (uint64_t)ns);
        add(&stats->call[call].did[DID_SPIN], 1);
    }
}

void stats_count_end(enum stat_call call, enum stat_end end)
{
    add(&stats->call[call].ended[end], 1);
}

void stats_count_timeout(enum stat_call call, int64_t late)
{
    waits_record(call, late);
    if (stats == &own) {
        return; /* every ns here is one more between the deadline and the program */
    }
    struct stat_record *record = &stats->call[call];
    add(&record->ended[END_TIMEOUT], 1);
    if (late < 0) {
        add(&record->early, 1);
        late = 0;
    }
    add(&record->late_sum_ns, (uint64_t)late);
    raise_to(&record->late_max_ns, (uint64_t)late);
    add(&record->hist[hist_slot(late)], 1);
}

void stats_count_notice(enum stat_call call, enum stat_notice what, unsigned times)
{
    add(&stats->call[call].notice[what], times);
}

void stats_count_zero(enum stat_call call)
{
    notice_zero(call);
    stats_count_end(call, END_ZERO);
}

void stats_set_deadline(struct stat_wait *w)
{
    w->clock = policy.clock;
    w->deadline = ns_add(clock_now(w->clock), w->timeout);
}

void stats_count_result(const struct stat_wait *w, bool ready, int error)
{
    notice_result(w, error);
    if (error && error != EINTR) {
        stats_count_end(w->call, END_ERROR);
    } else if (w->timeout <= 0) {
        stats_count_end(w->call, w->timeout ? END_INFINITE : END_ZERO);
    } else if (error) {
        stats_count_end(w->call, END_INTERRUPTED);
    } else if (ready) {
        stats_count_end(w->call, END_READY);
    } else {
        stats_count_timeout(w->call, clock_now(w->clock) - w->deadline);
    }
}
