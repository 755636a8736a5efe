/*
 * Whether a caller's pointer may be followed. Where the kernel would have answered EFAULT, libc
 * passes the pointer on and the program lives; code of ours that follows it would crash instead.
 */
#ifndef HRTIMEOUT_UACCESS_H
#define HRTIMEOUT_UACCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Notes the ranges that are good by nature: the program's own writable data, its stack and heap. */
void uaccess_init(void);

/*
 * True when `size` bytes at `p` can be read (written). False means only that the real function has
 * to judge: also an unknown range under a filter that may kill, where nothing is asked. A good
 * range costs no system call, another one for each page. Async-signal-safe, errno untouched.
 *
 * uaccess_writable() may change the bytes for a moment: ask it only before writing them.
 */
bool uaccess_readable(const void *p, size_t size);
bool uaccess_writable(void *p, size_t size);

/* True when the range is good by nature: no system call in any state. */
bool uaccess_known(const void *p, size_t size);

#endif
