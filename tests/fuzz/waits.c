/*
 * waits FIRST COUNT [OP[.ITEM]...]: carries out the programs of COUNT seeds, each in a child of its
 * own, and prints the trace of each. Ops (or single items of them) that are named are left out.
 * FUZZ_WITHOUT in the environment leaves out what something that is loaded beside the library can't
 * take: "cancel" (AddressSanitizer: it unwinds the stack), "pointer" (bad ones) and "alias" (__poll
 * and the like).
 */
#include "event.h"
#include "memory.h"
#include "program.h"
#include "trace.h"
#include "world.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Long enough for what a program does (below a second), also on a busy machine. */
#define LIMIT 10
/* Noise is tried away this often. */
#define TRIES 20

static void leave_out(struct program *p, const char *what)
{
    char *end;
    long op = strtol(what, &end, 10);
    struct op *o = &p->op[op];
    if (op < 0 || op >= p->ops) {
        return;
    }
    if (*end != '.') {
        o->call = CALLS; /* taken out below */
        return;
    }
    long item = strtol(end + 1, NULL, 10);
    if (item < o->items && (!o->action || o->target != item) && !o->race) {
        o->items--;
        memmove(&o->item[item], &o->item[item + 1], sizeof(o->item[0]) * (size_t)(o->items - item));
        o->target -= o->target > item;
    }
}

static void close_up(struct program *p)
{
    int kept = 0;
    for (int i = 0; i < p->ops; i++) {
        if (p->op[i].call != CALLS) {
            p->op[kept++] = p->op[i];
        }
    }
    p->ops = kept;
}

static void spare(struct op *op, const char *what)
{
    if (strstr(what, "cancel")) {
        op->cancel = CANCEL_NO;
    }
    if (strstr(what, "pointer")) {
        op->pointer = PTR_GOOD;
        op->mask = op->mask == MASK_BAD ? MASK_NULL : op->mask;
    }
    if (strstr(what, "alias")) {
        op->call = op->call == CALL_POLL_ALIAS        ? CALL_POLL
                   : op->call == CALL_SELECT_ALIAS    ? CALL_SELECT
                   : op->call == CALL_NANOSLEEP_ALIAS ? CALL_NANOSLEEP
                                                      : op->call;
    }
}

/* What a program must leave as it was. */
static void report_end(void)
{
    sigset_t mask, pending;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    sigpending(&pending);
    say("end: next descriptor %d, blocked", dup(0));
    for (int i = 1; i < 65; i++) {
        if (sigismember(&mask, i) == 1) {
            say(" %d%s", i, sigismember(&pending, i) == 1 ? " pending" : "");
        }
    }
    say("\n");
}

static void run(const struct program *p)
{
    setsid();
    signals_set_up();
    memory_set_up();
    world_make(p);
    perform(p, 0, p->ops);
    report_end();
    exit(0);
}

/* Waits by raw calls for the child; false when it had to be killed. */
static bool reap(pid_t child, int *status)
{
    sigset_t chld;
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    int64_t limit = now() + LIMIT * S;
    while (waitpid(child, status, WNOHANG) == 0) {
        struct timespec left = {1, 0};
        if (now() > limit) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL);
            waitpid(child, status, 0);
            return false;
        }
        syscall(SYS_rt_sigtimedwait, &chld, NULL, &left, 8);
    }
    return true;
}

static void try_once(const struct program *p, const sigset_t *mask)
{
    int status = 0;
    trace->length = trace->waits = trace->noisy = 0;
    pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, mask, NULL);
        run(p);
    }
    if (!reap(child, &status)) {
        say("HUNG\n");
    } else if (WIFSIGNALED(status)) {
        say("died of SIG%s\n", sigabbrev_np(WTERMSIG(status)));
    } else if (WEXITSTATUS(status)) {
        say("exit %d\n", WEXITSTATUS(status));
    }
}

int main(int argc, char **argv)
{
    sigset_t chld, old;
    if (argc < 3) {
        fprintf(stderr, "usage: waits FIRST COUNT [OP[.ITEM]...]\n");
        return 2;
    }
    trace = mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trace == MAP_FAILED) {
        return 2;
    }
    sigemptyset(&chld);
    sigaddset(&chld, SIGCHLD);
    sigprocmask(SIG_BLOCK, &chld, &old);
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++) {
        static struct program p;
        generate(&p, seed);
        for (int i = 3; i < argc; i++) {
            leave_out(&p, argv[i]);
        }
        for (int i = 0; i < p.ops && getenv("FUZZ_WITHOUT"); i++) {
            spare(&p.op[i], getenv("FUZZ_WITHOUT"));
        }
        close_up(&p);
        try_once(&p, &old);
        for (int i = 1; i < TRIES && trace->noisy; i++) {
            sleep_until(now() + i * 2 * MS);
            try_once(&p, &old);
        }
        unsigned length =
            trace->length < sizeof(trace->text) ? trace->length : (unsigned)sizeof(trace->text);
        printf("seed %lu waits %u%s\n%.*s", (unsigned long)seed, trace->waits,
               trace->noisy ? " NOISY" : "", (int)length, trace->text);
        fflush(stdout);
    }
    return 0;
}
