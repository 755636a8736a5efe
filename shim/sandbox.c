#include "sandbox.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum sandbox sandbox_state;
bool sandbox_denied[EXTRA_COUNT];

#define SECCOMP_LINE "\nSeccomp:\t"

/*
 * Reads on until the line is found: the groups before it can fill pages. What a chunk's end may
 * hold of the line is kept for the next.
 */
static int find_seccomp(int fd)
{
    char text[2048];
    size_t kept = 0;
    for (;;) {
        ssize_t n = read(fd, text + kept, sizeof(text) - 1 - kept);
        if (n < 0) {
            return -1;
        }
        size_t length = kept + (size_t)n;
        text[length] = '\0';
        const char *line = strstr(text, SECCOMP_LINE);
        if (line && line[strlen(SECCOMP_LINE)]) {
            return line[strlen(SECCOMP_LINE)] - '0';
        }
        if (n == 0) {
            return length ? 0 : -1; /* a kernel without filters has no such line */
        }
        kept = length < sizeof(SECCOMP_LINE) ? length : sizeof(SECCOMP_LINE);
        memmove(text, text + length - kept, kept);
    }
}

/*
 * The seccomp mode from /proc/self/status; -1 when it can't be read. Nothing is called here that
 * the dynamic loader hasn't called before us, so no filter that let the program start kills here.
 */
static int seccomp_mode(void)
{
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    int mode = find_seccomp(fd);
    close(fd);
    return mode;
}

/* Container runtimes' profiles answer with an error; what else is there at start may kill. */
static bool in_container(void)
{
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
           getenv("KUBERNETES_SERVICE_HOST") != NULL;
}

static enum sandbox state_at_start(enum sandbox_setting setting)
{
    if (setting == SANDBOX_TRUST) {
        return SANDBOX_ANSWERS;
    }
    if (setting == SANDBOX_SAME) {
        return SANDBOX_MAY_KILL;
    }
    int mode = seccomp_mode();
    if (mode == 0) {
        return SANDBOX_NONE;
    }
    return mode > 0 && in_container() ? SANDBOX_ANSWERS : SANDBOX_MAY_KILL;
}

void sandbox_init(enum sandbox_setting setting)
{
    int saved = errno;
    enum sandbox state = state_at_start(setting);
    /* The program may have announced a filter before this constructor ran. */
    if (sandbox() != SANDBOX_MAY_KILL || setting == SANDBOX_TRUST) {
        __atomic_store_n(&sandbox_state, state, __ATOMIC_RELAXED);
    }
    errno = saved;
}

void sandbox_coming(void)
{
    enum sandbox state = policy.sandbox == SANDBOX_TRUST ? SANDBOX_ANSWERS : SANDBOX_MAY_KILL;
    __atomic_store_n(&sandbox_state, state, __ATOMIC_RELAXED);
    if (state == SANDBOX_MAY_KILL && !clock_is_free()) {
        __atomic_store_n(&policy.mode, MODE_OFF, __ATOMIC_RELAXED);
    }
}

bool sandbox_refused(enum extra_call call, int error)
{
    if (error != EPERM && error != ENOSYS && error != EACCES) {
        return false;
    }
    __atomic_store_n(&sandbox_denied[call], true, __ATOMIC_RELAXED);
    return true;
}
