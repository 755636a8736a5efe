/* A system call filter from a list of numbers: what is listed gets one action, the rest another. */
#ifndef SECCOMP_FILTER_H
#define SECCOMP_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>

#define FILTER_CALLS 200

struct seccomp_filter {
    struct sock_filter code[FILTER_CALLS + 3];
    struct sock_fprog program;
};

static inline void seccomp_filter_make(struct seccomp_filter *f, const int *calls, int count,
                                       unsigned listed, unsigned others)
{
    struct sock_filter *next = f->code;
    *next++ =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < count; i++) {
        *next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                               (unsigned char)(count - i), 0);
    }
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, others);
    *next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, listed);
    f->program.len = (unsigned short)(next - f->code);
    f->program.filter = f->code;
}

#endif
