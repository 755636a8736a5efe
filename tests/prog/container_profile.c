/*
 * container_profile LIST [-CALL...] COMMAND...: runs a command under a filter as container runtimes
 * install one: the system calls named in the file LIST pass, but those after a dash, and all others
 * answer EPERM; clone3 answers ENOSYS, so that libc goes back to clone.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "which architecture is this?"
#endif

static struct sock_filter code[2048];
static unsigned short length;

static void add(struct sock_filter instruction)
{
    code[length++] = instruction;
}

/* One that `answer`s this number and goes on with any other. */
static void add_call(int number, unsigned answer)
{
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer));
}

static bool left_out(char **list, const char *name)
{
    for (; **list == '-'; list++) {
        if (strcmp(*list + 1, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_list(const char *path, char **without)
{
    char name[64];
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    while (length < sizeof(code) / sizeof(*code) - 3 && fscanf(file, "%63s", name) == 1) {
        int number = seccomp_syscall_resolve_name(name);
        if (number >= 0 && !left_out(without, name)) { /* negative: not on this architecture */
            add_call(number, SECCOMP_RET_ALLOW);
        }
    }
    fclose(file);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        return 2;
    }
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                     offsetof(struct seccomp_data, arch)));
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0));
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    if (!add_list(argv[1], argv + 2)) {
        perror(argv[1]);
        return 2;
    }
    add_call(seccomp_syscall_resolve_name("clone3"), SECCOMP_RET_ERRNO | ENOSYS);
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
    char **command = argv + 2;
    while (*command && **command == '-') {
        command++;
    }
    struct sock_fprog program = {length, code};
    if (!*command || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("seccomp");
        return 2;
    }
    execvp(*command, command);
    perror(*command);
    return 127;
}
