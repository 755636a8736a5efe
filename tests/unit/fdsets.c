/* select's bitmaps to poll's array and back, bit by bit. */
#include "fdsets.h"

#include "unit.h"

#include <errno.h>
#include <string.h>

static void test_to_poll(void)
{
    fd_set r, w, e;
    struct pollfd fds[FDSETS_POLL_MAX];
    FD_ZERO(&r);
    FD_ZERO(&w);
    FD_ZERO(&e);
    FD_SET(0, &r);
    FD_SET(63, &w);
    FD_SET(64, &w);
    FD_SET(64, &e);
    FD_SET(200, &r); /* in a word that isn't looked at */
    struct fdsets s = {65, {&r, &w, &e}};
    EQUAL(fdsets_to_poll(&s, fds), 3);
    EQUAL(fds[0].fd, 0);
    EQUAL(fds[0].events, POLLIN | POLLRDNORM | POLLRDBAND);
    EQUAL(fds[1].fd, 63);
    EQUAL(fds[1].events, POLLOUT | POLLWRNORM | POLLWRBAND);
    EQUAL(fds[2].fd, 64);
    EQUAL(fds[2].events, POLLOUT | POLLWRNORM | POLLWRBAND | POLLPRI);
    s.nfds = 64;
    EQUAL(fdsets_to_poll(&s, fds), 2);
    s.nfds = 63; /* 63 itself is beyond now, in a word that the kernel may clear or not */
    EQUAL(fdsets_to_poll(&s, fds), -1);
    s.nfds = 0;
    EQUAL(fdsets_to_poll(&s, fds), 0);
}

static void test_too_many(void)
{
    fd_set r;
    struct pollfd fds[FDSETS_POLL_MAX];
    memset(&r, 0xff, sizeof(r));
    struct fdsets s = {FDSETS_POLL_MAX, {&r, NULL, NULL}};
    EQUAL(fdsets_to_poll(&s, fds), FDSETS_POLL_MAX);
    s.nfds++;
    EQUAL(fdsets_to_poll(&s, fds), -1);
}

/* One descriptor in all three sets, answering `revents`: the count, and the bits by set. */
static int answer(short revents, int bit[3])
{
    fd_set set[3];
    for (int i = 0; i < 3; i++) {
        FD_ZERO(&set[i]);
        FD_SET(5, &set[i]);
    }
    struct fdsets s = {6, {&set[0], &set[1], &set[2]}};
    struct pollfd fds[FDSETS_POLL_MAX];
    EQUAL(fdsets_to_poll(&s, fds), 1);
    fds[0].revents = revents;
    int r = fdsets_from_poll(&s, fds, 1, 1, false);
    for (int i = 0; i < 3; i++) {
        bit[i] = FD_ISSET(5, &set[i]);
    }
    return r;
}

static void test_from_poll(void)
{
    static const struct {
        short revents;
        int count, read, write, except;
    } rows[] = {
        {POLLIN, 1, 1, 0, 0},     {POLLRDNORM, 1, 1, 0, 0},
        {POLLOUT, 1, 0, 1, 0},    {POLLPRI, 1, 0, 0, 1},
        {POLLHUP, 1, 1, 0, 0},    {POLLERR, 2, 1, 1, 0},
        {POLLWRNORM, 1, 0, 1, 0}, {POLLIN | POLLOUT | POLLPRI, 3, 1, 1, 1},
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        int bit[3];
        EQUAL(answer(rows[i].revents, bit), rows[i].count);
        EQUAL(bit[0], rows[i].read);
        EQUAL(bit[1], rows[i].write);
        EQUAL(bit[2], rows[i].except);
    }
}

static void test_undecided(void)
{
    fd_set w;
    FD_ZERO(&w);
    FD_SET(3, &w);
    struct fdsets s = {4, {NULL, &w, NULL}};
    struct pollfd fds[FDSETS_POLL_MAX];
    fdsets_to_poll(&s, fds);
    fds[0].revents = POLLHUP;
    EQUAL(fdsets_from_poll(&s, fds, 1, 1, false), FDSETS_UNDECIDED);
    CHECK(FD_ISSET(3, &w));
    fds[0].revents = POLLNVAL;
    EQUAL(fdsets_from_poll(&s, fds, 1, 1, false), FDSETS_UNDECIDED);
    CHECK(FD_ISSET(3, &w));
    EQUAL(fdsets_from_poll(&s, fds, 1, 0, false), 0);
    CHECK(!FD_ISSET(3, &w));
}

/* Closed during the wait, as the kernel's select has it: every bit asked for. */
static void test_closed_meanwhile(void)
{
    fd_set r, w, e;
    FD_ZERO(&r);
    FD_ZERO(&w);
    FD_ZERO(&e);
    FD_SET(3, &r);
    FD_SET(3, &e);
    FD_SET(4, &w);
    struct fdsets s = {5, {&r, &w, &e}};
    struct pollfd fds[FDSETS_POLL_MAX];
    EQUAL(fdsets_to_poll(&s, fds), 2);
    fds[0].revents = POLLNVAL;
    EQUAL(fdsets_from_poll(&s, fds, 2, 1, true), 2);
    CHECK(FD_ISSET(3, &r) && FD_ISSET(3, &e) && !FD_ISSET(4, &w));
}

int main(void)
{
    test_to_poll();
    test_closed_meanwhile();
    test_too_many();
    test_from_poll();
    test_undecided();
    return unit_failures != 0;
}
