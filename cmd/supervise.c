#include "supervise.h"

#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t usage_ns(const struct rusage *u)
{
    int64_t us = ((int64_t)u->ru_utime.tv_sec + u->ru_stime.tv_sec) * 1000000 +
                 u->ru_utime.tv_usec + u->ru_stime.tv_usec;
    return us * 1000;
}

/* What the terminal's driver sends goes to the whole process group, so the program has it. */
static bool has_it_already(const siginfo_t *info)
{
    switch (info->si_signo) {
    case SIGINT:
    case SIGQUIT:
    case SIGHUP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU:
    case SIGWINCH:
    case SIGCONT:
        return info->si_code == SI_KERNEL;
    default:
        return false;
    }
}

static bool ends_programs(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

static void pass_on(pid_t program, const siginfo_t *info)
{
    if (has_it_already(info)) {
        return;
    }
    if (info->si_code == SI_QUEUE) {
        sigqueue(program, info->si_signo, info->si_value);
    } else {
        kill(program, info->si_signo);
    }
}

/* Stops with the program, so that the shell sees its job stop; unless it has gone on already. */
static void stop_too(pid_t program)
{
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)program, &info, WCONTINUED | WNOHANG) == 0 && info.si_pid == 0) {
        raise(SIGSTOP);
    }
}

/* True when the program has ended. As process 1 of a container others are reaped as well. */
static bool reap(pid_t program, struct ending *ending)
{
    struct rusage usage;
    int status;
    pid_t pid;
    while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
        if (pid != program) {
            continue;
        }
        if (WIFSTOPPED(status)) {
            stop_too(program);
            continue;
        }
        ending->status = status;
        ending->cpu_ns = usage_ns(&usage);
        return true;
    }
    return false;
}

static void wait_for(pid_t program, const sigset_t *all, struct ending *ending)
{
    siginfo_t info;
    while (!reap(program, ending)) {
        int signal = sigwaitinfo(all, &info);
        if (signal > 0 && signal != SIGCHLD) {
            pass_on(program, &info);
        }
        ending->told_to_end |= ends_programs(signal);
    }
}

/* What came for the program while it ended must not end the report. */
static void forget_pending(const sigset_t *all, struct ending *ending)
{
    static const struct timespec now = {0};
    int signal;
    while ((signal = sigtimedwait(all, NULL, &now)) > 0) {
        ending->told_to_end |= ends_programs(signal);
    }
}

/* The program's side of the fork: `failed` closes at exec, or says that there was none. */
static void become(const struct launch *launch, bool quiet, int failed, const sigset_t *mask,
                   const struct sigaction *chld)
{
    int null = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
    }
    sigaction(SIGCHLD, chld, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int code = launch_exec(launch);
    if (write(failed, "", 1) != 1) {
        code = EXIT_OURS;
    }
    _exit(code);
}

static bool started(int pipe_end)
{
    char byte;
    ssize_t n;
    do {
        n = read(pipe_end, &byte, 1);
    } while (n < 0 && errno == EINTR);
    return n == 0;
}

bool supervise(const struct launch *launch, bool quiet, struct ending *ending)
{
    /* A SIGCHLD that is ignored, as nohup scripts leave it, would throw the status away. */
    struct sigaction chld, standard = {.sa_handler = SIG_DFL};
    sigset_t all, mask;
    int failed[2];
    if (pipe2(failed, O_CLOEXEC) != 0) {
        fail("can't make a pipe: %s", strerror(errno));
        return false;
    }
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    sigaction(SIGCHLD, &standard, &chld);
    int64_t start = now_ns();
    pid_t program = fork();
    int error = errno;
    if (program == 0) {
        become(launch, quiet, failed[1], &mask, &chld);
    }
    close(failed[1]);
    if (program > 0) {
        ending->started = started(failed[0]);
        wait_for(program, &all, ending);
        ending->elapsed_ns = now_ns() - start;
        forget_pending(&all, ending);
    }
    close(failed[0]);
    sigaction(SIGCHLD, &chld, NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (program < 0) {
        fail("can't fork: %s", strerror(error));
    }
    return program > 0;
}

int end_as(const struct ending *ending)
{
    if (!WIFSIGNALED(ending->status)) {
        return WEXITSTATUS(ending->status);
    }
    int signal = WTERMSIG(ending->status);
    struct rlimit none = {0};
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only;
    fflush(NULL);
    setrlimit(RLIMIT_CORE, &none); /* the program has left its own core */
    sigaction(signal, &standard, NULL);
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    return 128 + signal;
}
