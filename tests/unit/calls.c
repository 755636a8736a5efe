/* The probe's tables: system call numbers by machine against the kernel's own headers, buckets. */
#include "../../bpf/calls.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>

struct known {
    long nr;
    int call;
};

/* Each header in turn: their macros have the same names. */
#include <asm/unistd_64.h>
static const struct known x86_64[] = {
    {__NR_poll, CALL_POLL},
    {__NR_ppoll, CALL_PPOLL},
    {__NR_select, CALL_SELECT},
    {__NR_pselect6, CALL_PSELECT},
    {__NR_epoll_wait, CALL_EPOLL_WAIT},
    {__NR_epoll_pwait, CALL_EPOLL_PWAIT},
    {__NR_epoll_pwait2, CALL_EPOLL_PWAIT2},
    {__NR_nanosleep, CALL_NANOSLEEP},
    {__NR_clock_nanosleep, CALL_CLOCK_NANOSLEEP},
    {__NR_restart_syscall, CALL_RESTART},
};

#undef __NR_poll
#undef __NR_ppoll
#undef __NR_select
#undef __NR_pselect6
#undef __NR_epoll_wait
#undef __NR_epoll_pwait
#undef __NR_epoll_pwait2
#undef __NR_nanosleep
#undef __NR_clock_nanosleep
#undef __NR_restart_syscall
#include <asm/unistd_32.h>
static const struct known x86_32[] = {
    {__NR_poll, CALL_POLL},
    {__NR_ppoll, CALL_PPOLL},
    {__NR_ppoll_time64, CALL_PPOLL},
    {__NR_select, CALL_SELECT},
    {__NR__newselect, CALL_SELECT},
    {__NR_pselect6, CALL_PSELECT},
    {__NR_pselect6_time64, CALL_PSELECT},
    {__NR_epoll_wait, CALL_EPOLL_WAIT},
    {__NR_epoll_pwait, CALL_EPOLL_PWAIT},
    {__NR_epoll_pwait2, CALL_EPOLL_PWAIT2},
    {__NR_nanosleep, CALL_NANOSLEEP},
    {__NR_clock_nanosleep, CALL_CLOCK_NANOSLEEP},
    {__NR_clock_nanosleep_time64, CALL_CLOCK_NANOSLEEP},
    {__NR_restart_syscall, CALL_RESTART},
};

#undef __NR_ppoll
#undef __NR_pselect6
#undef __NR_epoll_pwait
#undef __NR_epoll_pwait2
#undef __NR_nanosleep
#undef __NR_clock_nanosleep
#undef __NR_restart_syscall
#define __ARCH_WANT_TIME32_SYSCALLS /* as on arm64 */
#include <asm-generic/unistd.h>
static const struct known arm64[] = {
    {__NR_ppoll, CALL_PPOLL},
    {__NR_pselect6, CALL_PSELECT},
    {__NR_epoll_pwait, CALL_EPOLL_PWAIT},
    {__NR_epoll_pwait2, CALL_EPOLL_PWAIT2},
    {__NR_nanosleep, CALL_NANOSLEEP},
    {__NR_clock_nanosleep, CALL_CLOCK_NANOSLEEP},
    {__NR_restart_syscall, CALL_RESTART},
};

/* No header here knows 32-bit arm's; what of them isn't i386's too. */
static const struct known arm_32[] = {
    {252, CALL_EPOLL_WAIT},      {265, CALL_CLOCK_NANOSLEEP},
    {335, CALL_PSELECT},         {336, CALL_PPOLL},
    {346, CALL_EPOLL_PWAIT},     {142, CALL_SELECT},
    {162, CALL_NANOSLEEP},       {168, CALL_POLL},
    {407, CALL_CLOCK_NANOSLEEP}, {413, CALL_PSELECT},
    {414, CALL_PPOLL},           {441, CALL_EPOLL_PWAIT2},
    {0, CALL_RESTART},
};

/* What is known has its kind, and nothing else has one. */
static void check(const char *name, enum machine machine, const struct known *known, size_t count)
{
    for (long nr = -1; nr < 1024; nr++) {
        int want = CALL_NONE;
        for (size_t i = 0; i < count; i++) {
            want = known[i].nr == nr ? known[i].call : want;
        }
        int got = call_of(machine, nr);
        if (got != want && !(machine == ARM_32 && nr == 82)) {
            printf("%s: %ld is %d, not %d\n", name, nr, got, want);
            assert(got == want);
        }
    }
}

/* The library's slots and the probe's are one layout, told by two ways of counting bits. */
static void check_slots(void)
{
    for (unsigned shift = 0; shift < 63; shift++) {
        for (int64_t off = -1; off <= 1; off++) {
            int64_t ns = (INT64_C(1) << shift) + off;
            assert(slack_fine_slot((uint64_t)ns) == hist_slot(ns));
            ns += (INT64_C(1) << shift) / 3;
            assert(slack_fine_slot((uint64_t)ns) == hist_slot(ns));
        }
    }
}

static void check_buckets(void)
{
    static const uint64_t limits[] = {1000,     2000,     5000,     10000,    20000,   50000,
                                      100000,   200000,   500000,   1000000,  2000000, 5000000,
                                      10000000, 20000000, 50000000, 100000000};
    assert(SLACK_BUCKETS == sizeof(limits) / sizeof(*limits) + 1);
    assert(slack_bucket(0) == 0 && slack_bucket(UINT64_MAX) == SLACK_BUCKETS - 1);
    for (unsigned i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
        assert(slack_bucket(limits[i] - 1) == i && slack_bucket(limits[i]) == i + 1);
    }
    assert(offsetof(struct slack_buckets, ge_100ms) == (SLACK_BUCKETS - 1) * sizeof(uint64_t));
}

int main(void)
{
    check("x86-64", X86_64, x86_64, sizeof(x86_64) / sizeof(*x86_64));
    check("i386", X86_32, x86_32, sizeof(x86_32) / sizeof(*x86_32));
    check("arm64", ARM64, arm64, sizeof(arm64) / sizeof(*arm64));
    check("arm", ARM_32, arm_32, sizeof(arm_32) / sizeof(*arm_32));
    check_slots();
    check_buckets();
    return 0;
}
