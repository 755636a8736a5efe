/* hrtimeout attach and detach: the timer slack of programs that the library can't enter. */
#include "attach_state.h"
#include "command.h"
#include "grid.h"
#include "policy.h"
#include "proc.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Threads that start while the others are set are found by looking again. */
#define MOST_PASSES 16

struct attach {
    pid_t pid;
    uint64_t slack;
    const char *name;
};

static const struct argp_option attach_options[] = {
    {"slack", 's', "NS", 0, "the timer slack to set, in ns (default 1)", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct attach *attach = state->input;
    struct policy policy = {0};
    switch (key) {
    case ARGP_KEY_INIT:
        state->err_stream = NULL;
        return 0;
    case 's':
        if (!policy_set(&policy, "SLACK", arg) || policy.slack < 1) {
            fail("%s: --slack takes ns from 1 to 2147483647, not '%s'", attach->name, arg);
            return EINVAL;
        }
        attach->slack = (uint64_t)policy.slack;
        return 0;
    case ARGP_KEY_ARG:
        if (attach->pid) {
            fail("%s: one process at a time", attach->name);
            return EINVAL;
        }
        attach->pid = proc_parse_pid(attach->name, arg);
        return attach->pid ? 0 : EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp attach_argp = {
    attach_options,
    parse,
    "PID",
    "Sets the timer slack of all threads of a running process: what can be had for static, Go and "
    "set-uid programs, and for those that can't be started again.\v"
    "Examples:\n"
    "  hrtimeout attach $(pidof prometheus)\n"
    "  hrtimeout attach --slack 10000 1234      10 us are enough\n"
    "  hrtimeout detach 1234                    back to what each thread had\n\n"
    "Needs CAP_SYS_NICE. The kernel's proportional slack of select, poll and epoll stays.",
    NULL,
    NULL,
    NULL};

static const struct argp detach_argp = {
    NULL, parse, "PID", "Gives the threads of an attached process back the timer slack they had.",
    NULL, NULL,  NULL};

static int cant(const char *name, pid_t pid, int error)
{
    if (error == EPERM || error == EACCES) {
        return fail("%s: process %d: setting another's timer slack needs CAP_SYS_NICE (run as "
                    "root)",
                    name, (int)pid);
    }
    return fail("%s: process %d: %s", name, (int)pid, strerror(error));
}

/*
 * What a thread had before any attach. A thread that changed its slack itself since then keeps
 * that; one that started since then would have had what the process's first thread had.
 */
static uint64_t before(const struct attach_state *state, pid_t tid, uint64_t now)
{
    const struct attach_thread *known = attach_state_find(state, tid);
    if (!known) {
        known = attach_state_find(state, state->pid);
    }
    return known && state->set && now == state->set ? known->slack : now;
}

/* Reads all threads into `state`; an errno when the process can't be read. */
static int remember(struct attach_state *state)
{
    struct proc_threads threads;
    struct attach_state found = {.pid = state->pid, .set = state->set};
    int error = proc_threads_open(&threads, state->pid) ? 0 : errno;
    for (pid_t tid; !error && (tid = proc_threads_next(&threads));) {
        uint64_t now;
        error = proc_slack_read(tid, &now);
        if (!error) {
            attach_state_add(&found, tid, before(state, tid, now));
        }
        error = error == ESRCH ? 0 : error;
    }
    proc_threads_close(&threads);
    *state = found;
    return error;
}

/*
 * One pass over all threads: those that don't have what `wanted` says yet are set. How many were,
 * -1 with errno when one couldn't be. Threads that vanish are no error.
 */
static int set_all(pid_t pid, uint64_t (*wanted)(const struct attach_state *, pid_t, uint64_t),
                   const struct attach_state *state)
{
    struct proc_threads threads;
    int changed = 0, error = proc_threads_open(&threads, pid) ? 0 : errno;
    for (pid_t tid; !error && (tid = proc_threads_next(&threads));) {
        uint64_t now;
        error = proc_slack_read(tid, &now);
        if (!error && now != wanted(state, tid, now)) {
            uint64_t want = wanted(state, tid, now);
            error = proc_slack_write(tid, want);
            /* A real-time thread has none, whatever is written. */
            changed += !error && proc_slack_read(tid, &now) == 0 && now == want;
        }
        error = error == ESRCH ? 0 : error;
    }
    proc_threads_close(&threads);
    errno = error;
    return error ? -1 : changed;
}

static uint64_t attached(const struct attach_state *state, pid_t tid, uint64_t now)
{
    (void)tid;
    (void)now;
    return state->set;
}

static int set_until_done(const struct attach *attach, const struct attach_state *state,
                          uint64_t (*wanted)(const struct attach_state *, pid_t, uint64_t))
{
    int changed = 0;
    for (int pass = 0; pass < MOST_PASSES; pass++) {
        int now = set_all(attach->pid, wanted, state);
        if (now < 0) {
            return cant(attach->name, attach->pid, errno);
        }
        if (!now) {
            break;
        }
        changed += now;
    }
    printf("%s: process %d (%s): timer slack of %d thread%s set\n", attach->name, (int)attach->pid,
           proc_thread_name(attach->pid, attach->pid), changed, changed == 1 ? "" : "s");
    return finish_output(stdout);
}

static bool parse_all(int argc, char **argv, const struct argp *argp, struct attach *attach)
{
    argp_err_exit_status = EXIT_OURS;
    argv[0] = text_of("hrtimeout %s", attach->name);
    if (argp_parse(argp, argc, argv, 0, NULL, attach)) {
        return false;
    }
    if (!attach->pid) {
        fail("%s: no process id given", attach->name);
    }
    return attach->pid != 0;
}

int cmd_attach(int argc, char **argv)
{
    struct attach attach = {.slack = 1, .name = "attach"};
    struct attach_state state;
    if (!parse_all(argc, argv, &attach_argp, &attach) || !attach_state_lock(attach.name)) {
        return EXIT_OURS;
    }
    attach_state_read(&state, attach.pid);
    int error = remember(&state);
    if (error) {
        return cant(attach.name, attach.pid, error);
    }
    state.set = attach.slack;
    if (!attach_state_write(attach.name, &state)) {
        return EXIT_OURS;
    }
    return set_until_done(&attach, &state, attached);
}

int cmd_detach(int argc, char **argv)
{
    struct attach attach = {.name = "detach"};
    struct attach_state state;
    if (!parse_all(argc, argv, &detach_argp, &attach) || !attach_state_lock(attach.name)) {
        return EXIT_OURS;
    }
    attach_state_read(&state, attach.pid);
    if (!state.set) {
        return fail("detach: process %d isn't attached", (int)attach.pid);
    }
    int code = set_until_done(&attach, &state, before);
    if (!code) {
        attach_state_remove(attach.pid);
    }
    return code;
}
