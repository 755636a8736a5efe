/* own_filter prctl|seccomp|raw [NAME...]: each kind of wait in a child that first forbids itself,
 * on pain of death, every system call but the one that libc makes for this wait. `seccomp` is how
 * libseccomp does it (prctl, then the raw call); `raw` makes both calls without libc. */
#include "each_wait.h"
#include "seccomp_filter.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

static const int64_t lengths[] = {0, 1000, 300000, 2000000, 30000000};

#define LENGTHS (sizeof(lengths) / sizeof(*lengths))

static bool install(const char *how, struct sock_fprog *program)
{
    if (strcmp(how, "prctl") == 0) {
        return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) == 0;
    }
    if (strcmp(how, "seccomp") == 0) {
        return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
               syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program) == 0;
    }
    return syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program) == 0;
}

/* A wait before the filter as well: whatever the library learned then mustn't be used after. */
static void child(const struct each_wait *wait, const char *how, const char **outcome)
{
    static struct seccomp_filter filter;
    int calls[] = {wait->call, SYS_exit_group};
    wait->run(20000000);
    seccomp_filter_make(&filter, calls, 2, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS);
    if (!install(how, &filter.program)) {
        outcome[0] = "no filter";
        _exit(1);
    }
    for (size_t i = 0; i < LENGTHS; i++) {
        outcome[i] = each_wait_outcome(wait, lengths[i]);
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    const char **outcome = mmap(NULL, sizeof(*outcome) * LENGTHS, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc < 2 || outcome == MAP_FAILED || !each_wait_open()) {
        return 2;
    }
    for (int i = 0; i < EACH_WAITS; i++) {
        if (!each_wait_picked(&each_wait[i], argv + 2)) {
            continue;
        }
        int status;
        memset(outcome, 0, sizeof(*outcome) * LENGTHS);
        pid_t pid = fork();
        if (pid == 0) {
            child(&each_wait[i], argv[1], outcome);
        }
        waitpid(pid, &status, 0);
        printf("%s:", each_wait[i].name);
        for (size_t n = 0; n < LENGTHS && outcome[n]; n++) {
            printf(" %s", outcome[n]);
        }
        printf(WIFSIGNALED(status) ? ", killed by signal %d\n" : "\n", WTERMSIG(status));
        fflush(stdout);
    }
    return 0;
}
