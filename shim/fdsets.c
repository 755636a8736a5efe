#include "fdsets.h"

#include "uaccess.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define WORD_BITS ((int)(8 * sizeof(unsigned long)))

/* As the kernel's select maps them (fs/select.c, POLLIN_SET and its kin). */
#define READ_EVENTS   (POLLIN | POLLRDNORM | POLLRDBAND)
#define WRITE_EVENTS  (POLLOUT | POLLWRNORM | POLLWRBAND)
#define EXCEPT_EVENTS POLLPRI

static const short asked[3] = {READ_EVENTS, WRITE_EVENTS, EXCEPT_EVENTS};
static const short answered[3] = {READ_EVENTS | POLLHUP | POLLERR, WRITE_EVENTS | POLLERR,
                                  EXCEPT_EVENTS};

/* Behind fd_set's declared size there may be more: programs allocate larger bitmaps. */
static unsigned long *words(const fd_set *set)
{
    return (unsigned long *)(uintptr_t)set;
}

static bool readable(const struct fdsets *s)
{
    size_t size = fdsets_size(s->nfds);
    for (int i = 0; i < 3; i++) {
        if (s->set[i] && size && !uaccess_readable(s->set[i], size)) {
            return false;
        }
    }
    return true;
}

/* The bits of a word that count: nfds cuts the last one. */
static unsigned long counting(const struct fdsets *s, int word)
{
    int bits = s->nfds - word * WORD_BITS;
    if (bits <= 0) {
        return 0;
    }
    return bits >= WORD_BITS ? ~0UL : (1UL << bits) - 1;
}

int fdsets_to_poll(const struct fdsets *s, struct pollfd *fds)
{
    int count = 0;
    int end = (int)(fdsets_size(s->nfds) / sizeof(unsigned long));
    if (!readable(s)) {
        return -1;
    }
    for (int word = 0; word < end; word++) {
        unsigned long bits[3];
        for (int i = 0; i < 3; i++) {
            bits[i] = s->set[i] ? words(s->set[i])[word] : 0;
        }
        unsigned long any = bits[0] | bits[1] | bits[2];
        if (any & ~counting(s, word)) {
            return -1;
        }
        for (; any; any &= any - 1) {
            int bit = __builtin_ctzl(any);
            if (count == FDSETS_POLL_MAX) {
                return -1;
            }
            fds[count].fd = word * WORD_BITS + bit;
            fds[count].events = 0;
            fds[count].revents = 0;
            for (int i = 0; i < 3; i++) {
                if (bits[i] >> bit & 1) {
                    fds[count].events = (short)(fds[count].events | asked[i]);
                }
            }
            count++;
        }
    }
    return count;
}

/* Of what poll said of a descriptor, whether a set asked for it. */
static bool maps(const struct pollfd *fd, int set)
{
    return (fd->events & asked[set]) && (fd->revents & answered[set]);
}

/* The number of bits; -1 for a descriptor that isn't open, which select judges by other rules. */
static int count_bits(const struct pollfd *fds, int count)
{
    int bits = 0;
    for (int i = 0; i < count; i++) {
        if (fds[i].revents & POLLNVAL) {
            return -1;
        }
        for (int set = 0; set < 3; set++) {
            bits += maps(&fds[i], set);
        }
    }
    return bits;
}

/* All that counts is cleared, then what is ready set again. */
static bool write_set(const struct fdsets *s, int set, const struct pollfd *fds, int count)
{
    size_t size = fdsets_size(s->nfds);
    unsigned long *to = words(s->set[set]);
    if (!to || !size) {
        return true;
    }
    if (!uaccess_writable(to, size)) {
        return false;
    }
    /* Not memset(): at the end of a long wait a page of libc more would have to be fetched. */
    for (size_t i = 0; i < size / sizeof(*to); i++) {
        __atomic_store_n(&to[i], 0, __ATOMIC_RELAXED);
    }
    for (int i = 0; i < count; i++) {
        if (maps(&fds[i], set)) {
            to[fds[i].fd / WORD_BITS] |= 1UL << (fds[i].fd % WORD_BITS);
        }
    }
    return true;
}

/* Closed meanwhile: everything that was asked has happened. */
static void answer_closed(struct pollfd *fds, int count)
{
    for (int i = 0; i < count; i++) {
        if (fds[i].revents & POLLNVAL) {
            fds[i].revents = fds[i].events;
        }
    }
}

int fdsets_from_poll(const struct fdsets *s, struct pollfd *fds, int count, int ready, bool blocked)
{
    if (ready && blocked) {
        answer_closed(fds, count);
    }
    int bits = ready ? count_bits(fds, count) : 0;
    if (bits < 0 || (ready && bits == 0)) {
        return FDSETS_UNDECIDED;
    }
    for (int set = 0; set < 3; set++) {
        if (!write_set(s, set, fds, ready ? count : 0)) {
            errno = EFAULT;
            return -1;
        }
    }
    return bits;
}

bool fdsets_keep(const struct fdsets *s, unsigned long *read, unsigned long *write,
                 unsigned long *except)
{
    unsigned long *kept[3] = {read, write, except};
    size_t size = fdsets_size(s->nfds);
    if (!readable(s)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        if (s->set[i] && size) {
            memcpy(kept[i], s->set[i], size);
        }
    }
    return true;
}
