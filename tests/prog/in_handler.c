/*
 * in_handler [STACK]: every call waits in a signal handler that interrupted the same call, and is
 * itself interrupted by a second handler that waits too. With STACK the handlers run on an
 * alternate stack of that many KiB.
 */
#include "waits.h"

#include <sys/mman.h>

static __thread struct waiter *current;
static __thread volatile int inner_result, inner_errno, innermost_result;
static __thread volatile bool outer_ran, innermost_ran, innermost_early;
static long stack_kib;

static void innermost_handler(int signo)
{
    (void)signo;
    int saved = errno;
    if (!innermost_ran) {
        innermost_ran = true;
        int64_t start = now_ns();
        innermost_result = wait_for(current, 5 * MS);
        innermost_early = now_ns() - start < asked_ns(current->kind, 5 * MS);
    }
    errno = saved;
}

static void outer_handler(int signo)
{
    (void)signo;
    int saved = errno;
    if (!outer_ran) {
        outer_ran = true;
        timer_t timer = signal_me(SIGUSR2, 30 * MS, 30 * MS);
        inner_result = wait_for(current, 60 * SEC);
        inner_errno = errno;
        timer_delete(timer);
    }
    errno = saved;
}

static void run(struct waiter *w, FILE *out)
{
    size_t size = stack_kib * 1024;
    stack_t stack = {.ss_size = size};
    if (size) {
        stack.ss_sp = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        sigaltstack(&stack, NULL);
    }
    current = w;
    timer_t timer = signal_me(SIGUSR1, 30 * MS, 30 * MS);
    int result = wait_for(w, 60 * SEC);
    fprintf(out, "%s, ", outcome(result));
    errno = inner_errno;
    fprintf(out, "in the handler %s, ", outcome(inner_result));
    fprintf(out, "in the second %d%s", innermost_result, innermost_early ? " early" : "");
    timer_delete(timer);
}

static bool wanted(enum kind kind)
{
    return kind != SLEEP;
}

int main(int argc, char **argv)
{
    stack_kib = argc > 1 ? atol(argv[1]) : 0;
    handle(SIGUSR1, outer_handler, stack_kib ? SA_ONSTACK : 0);
    handle(SIGUSR2, innermost_handler, stack_kib ? SA_ONSTACK : 0);
    each_kind(wanted, idle_fd(), run);
    return 0;
}
