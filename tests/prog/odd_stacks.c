/* Every wait on a stack that isn't the process's own: a thread's of the least size, a signal
 * handler's alternate one, a coroutine's, and in a vfork child. Above each of the stacks lies
 * memory that may not be touched: a set there is EFAULT. */
#include "each_wait.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

#define STACK 16384
#define WIDE  1000

static const char *outcomes[2][EACH_WAITS], *above[2], *wide[2];
static char *stack;
static fd_set wide_set;

/* A select whose pollfd array could be larger than the stack. */
static const char *wide_select(int64_t ns)
{
    fd_set set = wide_set;
    struct timeval tv = {.tv_usec = ns / 1000};
    int n = select(WIDE, &set, NULL, NULL, &tv);
    return n < 0 ? strerrorname_np(errno) : n ? "ready" : FD_ISSET(WIDE - 1, &set) ? "set" : "0";
}

static const char *select_above(int64_t ns)
{
    struct timeval tv = {.tv_usec = ns / 1000};
    int n = select(64, (fd_set *)(void *)(stack + STACK), NULL, NULL, &tv);
    return n < 0 ? strerrorname_np(errno) : "no error";
}

static void wait_here(void)
{
    static const int64_t lengths[] = {1500000, 15000000};
    for (int l = 0; l < 2; l++) {
        for (int i = 0; i < EACH_WAITS; i++) {
            if (each_wait[i].run != do_sleep) {
                outcomes[l][i] = each_wait_outcome(&each_wait[i], lengths[l]);
            }
        }
        above[l] = select_above(lengths[l]);
        wide[l] = wide_select(lengths[l]);
    }
}

static void show(const char *where)
{
    for (int l = 0; l < 2; l++) {
        printf("%s:", where);
        for (int i = 0; i < EACH_WAITS - 1; i++) {
            printf(" %s", outcomes[l][i]);
        }
        printf(", above: %s, wide: %s\n", above[l], wide[l]);
    }
    memset(outcomes, 0, sizeof(outcomes));
    fflush(stdout);
}

static void *thread(void *unused)
{
    wait_here();
    return unused;
}

static void on_thread(void)
{
    pthread_attr_t attr;
    pthread_t id;
    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, STACK);
    if (pthread_create(&id, &attr, thread, NULL)) {
        abort();
    }
    pthread_join(id, NULL);
    show("thread");
}

static void handler(int signal)
{
    (void)signal;
    wait_here();
}

static void on_alternate_stack(void)
{
    stack_t alternate = {.ss_sp = stack, .ss_size = STACK};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    show("alternate stack");
}

static void on_coroutine(void)
{
    static ucontext_t here, there;
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = STACK;
    there.uc_link = &here;
    makecontext(&there, wait_here, 0);
    swapcontext(&here, &there);
    show("coroutine");
}

/* It shares the parent's memory, so the outcomes come back by themselves. */
static void in_vfork_child(void)
{
    int status;
    pid_t pid = vfork();
    if (pid == 0) {
        wait_here();
        _exit(7);
    }
    waitpid(pid, &status, 0);
    show("vfork child");
    printf("child: %d, parent: %s\n", WEXITSTATUS(status), each_wait_outcome(&each_wait[0], 1000));
}

int main(void)
{
    if (!each_wait_open()) {
        return 2;
    }
    for (int fd = 20; fd < WIDE; fd++) {
        FD_SET(dup2(wait_pipe[0], fd), &wide_set);
    }
    stack = mmap(NULL, STACK + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(stack + STACK, 4096, PROT_NONE);
    on_thread();
    on_alternate_stack();
    on_coroutine();
    in_vfork_child();
    return 0;
}
