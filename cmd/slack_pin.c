/* The probe left attached: its links and maps pinned in the BPF file system. */
#include "command.h"
#include "slack.h"

#include <bpf/bpf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK_FILE "/run/hrtimeout-slack.lock"

/*
 * The kernel lets the lock go when the process ends, however it ends. A user with nothing but the
 * capabilities for tracing can't make the file, and needn't: the lock is kept by root.
 */
bool slack_lock(void)
{
    int fd = open(LOCK_FILE, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && (errno == EACCES || errno == EROFS)) {
        return true;
    }
    if (fd < 0) {
        fail("slack: can't open " LOCK_FILE ": %s", strerror(errno));
        return false;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        fail("slack: another `hrtimeout slack` is measuring; two at a time would measure each "
             "other");
        close(fd);
        return false;
    }
    return true; /* the descriptor stays open on purpose */
}

bool slack_is_pinned(void)
{
    return access(SLACK_PINS, F_OK) == 0;
}

static void remove_all(const char *directory)
{
    char path[512];
    DIR *d = opendir(directory);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (size_t)snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name) <
                sizeof(path)) {
            unlink(path);
        }
    }
    if (d) {
        closedir(d);
    }
    rmdir(directory);
}

int slack_unpin(void)
{
    if (!slack_has_bpffs()) {
        return EXIT_OURS;
    }
    if (!slack_is_pinned()) {
        return fail("slack: nothing is pinned under " SLACK_PINS);
    }
    remove_all(SLACK_PINS "/links");
    remove_all(SLACK_PINS);
    if (slack_is_pinned()) {
        return fail("slack: can't remove " SLACK_PINS ": %s", strerror(errno));
    }
    return 0;
}

/* What the library writes to: by root's group, or by anybody. */
static bool open_to(bool world)
{
    static const char *const written[] = {SLACK_PIN_WAITS, SLACK_PIN_FINE, SLACK_PIN_LOADED};
    for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++) {
        if (chmod(written[i], world ? 0666 : 0660) != 0) {
            fail("slack: can't set the mode of %s: %s", written[i], strerror(errno));
            return false;
        }
    }
    return true;
}

int slack_pin(const struct slack_options *o)
{
    if (!slack_may_load() || !slack_has_bpffs() || !slack_lock()) {
        return EXIT_OURS;
    }
    if (slack_is_pinned()) {
        return fail("slack: already pinned under " SLACK_PINS "; `hrtimeout slack --unpin` first");
    }
    struct slack_bpf *probe = slack_load(o);
    if (!probe) {
        return EXIT_OURS;
    }
    if (o->pid && !slack_watch(probe, o->pid)) {
        return fail("slack: can't follow process %d: %s", (int)o->pid, strerror(errno));
    }
    if (!slack_attach(probe, o)) {
        return EXIT_OURS;
    }
    umask(077);
    if (mkdir(SLACK_PINS, 0755) != 0 || mkdir(SLACK_PINS "/links", 0700) != 0) {
        return fail("slack: can't make " SLACK_PINS ": %s", strerror(errno));
    }
    if (chmod(SLACK_PINS, 0755) != 0 || !slack_pin_probe(probe) || !open_to(o->world)) {
        slack_unpin();
        return EXIT_OURS;
    }
    return 0;
}

bool slack_open_pinned(struct slack_maps *maps)
{
    const struct {
        int *fd;
        const char *path;
    } all[] = {{&maps->rows, SLACK_PINS "/slack"},
               {&maps->fine, SLACK_PINS "/slack_fine"},
               {&maps->stats, SLACK_PINS "/stats"},
               {&maps->waits, SLACK_PIN_WAITS},
               {&maps->waits_fine, SLACK_PIN_FINE}};
    maps->samples = -1;
    maps->pinned = true;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        *all[i].fd = bpf_obj_get(all[i].path);
        if (*all[i].fd < 0) {
            fail("slack: can't open %s: %s", all[i].path, strerror(errno));
            return false;
        }
    }
    return true;
}
