/* select's three bitmaps, turned into poll's array and back. */
#ifndef HRTIMEOUT_FDSETS_H
#define HRTIMEOUT_FDSETS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/select.h>

/* Descriptors that are turned: 2 KiB, since some threads have a stack of 16. */
#define FDSETS_POLL_MAX 256

/* What only the real select can say. */
#define FDSETS_UNDECIDED (-2)

struct fdsets {
    int nfds;
    fd_set *set[3]; /* read, write, except; each may be NULL */
};

/* What the kernel reads and writes of a set, in bytes: whole longs. nfds is 0 or more. */
static inline size_t fdsets_size(int nfds)
{
    size_t bits = 8 * sizeof(unsigned long);
    return ((size_t)nfds + bits - 1) / bits * sizeof(unsigned long);
}

/*
 * Fills `fds`; the number of its entries, or -1 when there are more than FDSETS_POLL_MAX, bits
 * beyond nfds (whether the kernel clears those depends on the size of its descriptor table), or a
 * set that can't be read. nfds is at most FD_SETSIZE.
 */
int fdsets_to_poll(const struct fdsets *s, struct pollfd *fds);

/*
 * Writes what poll said (`ready`, 0 or more) into the sets: the number of bits, or -1 with EFAULT
 * when one can't be written, or FDSETS_UNDECIDED with the sets untouched. `blocked`: a descriptor
 * that isn't open now was open when the wait began, and the kernel's select then sets each bit
 * asked for.
 */
int fdsets_from_poll(const struct fdsets *s, struct pollfd *fds, int count, int ready,
                     bool blocked);

/* Copies the sets' words. False when one can't be read. nfds is at most FD_SETSIZE. */
bool fdsets_keep(const struct fdsets *s, unsigned long *read, unsigned long *write,
                 unsigned long *except);

#endif
