/* Makes the descriptors. Their numbers come out the same in every run of a program. */
#include "world.h"
#include "trace.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

struct desc world[MAX_DESCS];

const char *const kind_names[KINDS] = {
    "pipe",         "pipe-data", "pipe-room",    "pipe-full",   "pipe-hup",   "pipe-hup-data",
    "pipe-broken",  "pair",      "pair-data",    "pair-half",   "pair-gone",  "dgram-data",
    "tcp-refused",  "tcp-oob",   "tcp-half",     "tcp-new",     "tcp-listen", "tcp-waiting",
    "udp",          "udp-error", "pty",          "pty-data",    "pty-closed", "pty-slave",
    "event-0",      "event-5",   "event-full",   "timer-far",   "timer-due",  "signalfd",
    "signalfd-due", "inotify",   "inotify-data", "regular",     "directory",  "null",
    "memfd",        "path",      "epoll",        "epoll-ready", "pidfd",      "mounts",
    "closed",       "above",     "minus-1"};

/* What the loopback device or a terminal brings may come from another kernel thread: wait for it.
 * A raw call, since the waits under test mustn't be used to prepare them. */
static void settle(int fd, short events)
{
    struct pollfd p = {.fd = fd, .events = events};
    struct timespec limit = {0, 20 * MS};
    syscall(SYS_ppoll, &p, 1, &limit, NULL, 8);
}

static void fill(int fd)
{
    char block[4096] = {0};
    while (write(fd, block, sizeof(block)) > 0) {
    }
}

static struct desc make_pipe(enum kind kind)
{
    int p[2];
    if (pipe2(p, O_NONBLOCK)) {
        return (struct desc){-1, -1};
    }
    bool data = kind == KIND_PIPE_DATA || kind == KIND_PIPE_HUNG_UP_DATA;
    if (data && write(p[1], "abc", 3) != 3) {
        abort();
    }
    switch (kind) {
    case KIND_PIPE_FULL:
        fill(p[1]);
        return (struct desc){p[1], p[0]};
    case KIND_PIPE_ROOM:
        return (struct desc){p[1], p[0]};
    case KIND_PIPE_BROKEN:
        close(p[0]);
        return (struct desc){p[1], -1};
    case KIND_PIPE_HUNG_UP:
    case KIND_PIPE_HUNG_UP_DATA:
        close(p[1]);
        return (struct desc){p[0], -1};
    default:
        return (struct desc){p[0], p[1]};
    }
}

static struct desc make_pair(enum kind kind)
{
    int s[2];
    int type = kind == KIND_DGRAM_DATA ? SOCK_DGRAM : SOCK_STREAM;
    if (socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, s)) {
        return (struct desc){-1, -1};
    }
    switch (kind) {
    case KIND_PAIR_DATA:
    case KIND_DGRAM_DATA:
        send(s[1], "abcd", 4, 0);
        break;
    case KIND_PAIR_HALF:
        shutdown(s[1], SHUT_WR);
        break;
    case KIND_PAIR_GONE:
        close(s[1]);
        s[1] = -1;
        break;
    default:
        break;
    }
    return (struct desc){s[0], s[1]};
}

static int listener(struct sockaddr_in *at)
{
    socklen_t length = sizeof(*at);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bind(fd, (struct sockaddr *)at, sizeof(*at));
    listen(fd, 4);
    getsockname(fd, (struct sockaddr *)at, &length);
    return fd;
}

static struct desc make_tcp(enum kind kind)
{
    struct sockaddr_in at;
    struct desc d = {-1, -1};
    if (kind == KIND_TCP_NEW) {
        d.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        return d;
    }
    int listening = listener(&at);
    if (kind == KIND_TCP_LISTENING) {
        return (struct desc){listening, -1};
    }
    d.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (kind == KIND_TCP_REFUSED) {
        close(listening);
        connect(d.fd, (struct sockaddr *)&at, sizeof(at));
        settle(d.fd, POLLIN);
        return d;
    }
    connect(d.fd, (struct sockaddr *)&at, sizeof(at));
    settle(listening, POLLIN);
    if (kind == KIND_TCP_WAITING) {
        return (struct desc){listening, d.fd};
    }
    settle(d.fd, POLLOUT);
    d.peer = accept4(listening, NULL, NULL, SOCK_NONBLOCK);
    close(listening);
    if (kind == KIND_TCP_OOB) {
        send(d.peer, "!", 1, MSG_OOB);
        settle(d.fd, POLLPRI);
    } else {
        shutdown(d.peer, SHUT_WR);
        settle(d.fd, POLLIN);
    }
    return d;
}

static struct desc make_udp(enum kind kind)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(9)};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (kind == KIND_UDP_ERROR && !connect(fd, (struct sockaddr *)&at, sizeof(at))) {
        send(fd, "x", 1, 0);
        settle(fd, POLLIN);
    }
    return (struct desc){fd, -1};
}

static struct desc make_pty(enum kind kind)
{
    struct desc d = {-1, -1};
    struct termios raw;
    if (openpty(&d.fd, &d.peer, NULL, NULL, NULL)) {
        return d;
    }
    fcntl(d.fd, F_SETFL, O_NONBLOCK);
    fcntl(d.peer, F_SETFL, O_NONBLOCK);
    tcgetattr(d.peer, &raw);
    cfmakeraw(&raw);
    tcsetattr(d.peer, TCSANOW, &raw);
    if (kind == KIND_PTY_SLAVE) {
        return (struct desc){d.peer, d.fd};
    }
    if (kind == KIND_PTY_DATA && write(d.peer, "ab", 2) == 2) {
        settle(d.fd, POLLIN);
    } else if (kind == KIND_PTY_CLOSED) {
        close(d.peer);
        d.peer = -1;
        settle(d.fd, POLLIN);
    }
    return d;
}

static struct desc make_timer(enum kind kind)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct itimerspec far = {.it_value = {1000, 0}}, due = {.it_value = {0, 1}};
    timerfd_settime(fd, 0, kind == KIND_TIMER_FAR ? &far : &due, NULL);
    if (kind == KIND_TIMER_DUE) {
        settle(fd, POLLIN);
    }
    return (struct desc){fd, -1};
}

static struct desc make_signalfd(enum kind kind)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, kind == KIND_SIGNAL_DUE ? SIGRTMIN + 5 : SIGRTMIN + 6);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if (kind == KIND_SIGNAL_DUE) {
        raise(SIGRTMIN + 5);
    }
    return (struct desc){signalfd(-1, &set, SFD_NONBLOCK), -1};
}

/* Watches a file of its own: other programs run beside this one. The file is the other end. */
static struct desc make_inotify(enum kind kind)
{
    struct desc d = {inotify_init1(IN_NONBLOCK), memfd_create("watched", 0)};
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", d.peer);
    inotify_add_watch(d.fd, path, IN_MODIFY);
    if (kind == KIND_INOTIFY_DATA) {
        (void)!write(d.peer, "x", 1);
    }
    return d;
}

static struct desc make_epoll(enum kind kind)
{
    struct desc d = {epoll_create1(0), eventfd(kind == KIND_EPOLL_READY, EFD_NONBLOCK)};
    struct epoll_event e = {.events = EPOLLIN};
    epoll_ctl(d.fd, EPOLL_CTL_ADD, d.peer, &e);
    return d;
}

static int make_pidfd(void)
{
    pid_t child = fork();
    if (!child) {
        _exit(0);
    }
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    waitpid(child, NULL, 0);
    return fd;
}

static struct desc make_plain(enum kind kind)
{
    int fd = -1;
    switch (kind) {
    case KIND_EVENT_ZERO:
    case KIND_EVENT_SET:
        fd = eventfd(kind == KIND_EVENT_SET ? 5 : 0, EFD_NONBLOCK);
        return (struct desc){fd, fd};
    case KIND_EVENT_FULL:
        fd = eventfd(0, EFD_NONBLOCK);
        eventfd_write(fd, UINT64_MAX - 1);
        return (struct desc){fd, fd};
    case KIND_REGULAR:
        fd = open("/proc/self/exe", O_RDONLY);
        break;
    case KIND_DIRECTORY:
        fd = open("/", O_RDONLY | O_DIRECTORY);
        break;
    case KIND_NULL:
        fd = open("/dev/null", O_RDWR);
        break;
    case KIND_MEMFD:
        fd = memfd_create("fuzz", 0);
        break;
    case KIND_PATH:
        fd = open("/", O_PATH);
        break;
    case KIND_PIDFD:
        fd = make_pidfd();
        break;
    case KIND_MOUNTS:
        fd = open("/proc/self/mounts", O_RDONLY);
        break;
    case KIND_CLOSED:
        close(fd = dup(0));
        break;
    case KIND_ABOVE:
        fd = 900;
        break;
    default:
        break;
    }
    return (struct desc){fd, -1};
}

static struct desc make(enum kind kind)
{
    if (kind <= KIND_PIPE_BROKEN) {
        return make_pipe(kind);
    } else if (kind <= KIND_DGRAM_DATA) {
        return make_pair(kind);
    } else if (kind <= KIND_TCP_WAITING) {
        return make_tcp(kind);
    } else if (kind <= KIND_UDP_ERROR) {
        return make_udp(kind);
    } else if (kind <= KIND_PTY_SLAVE) {
        return make_pty(kind);
    } else if (kind == KIND_TIMER_FAR || kind == KIND_TIMER_DUE) {
        return make_timer(kind);
    } else if (kind == KIND_SIGNAL_IDLE || kind == KIND_SIGNAL_DUE) {
        return make_signalfd(kind);
    } else if (kind == KIND_INOTIFY_IDLE || kind == KIND_INOTIFY_DATA) {
        return make_inotify(kind);
    } else if (kind == KIND_EPOLL_IDLE || kind == KIND_EPOLL_READY) {
        return make_epoll(kind);
    }
    return make_plain(kind);
}

void world_make(const struct program *p)
{
    for (int i = 0; i < p->descs; i++) {
        world[i] = make(p->kind[i]);
        if (p->high[i] && world[i].fd >= 0 && world[i].fd < 100) {
            int high = fcntl(world[i].fd, F_DUPFD, 100);
            if (high >= 0) {
                close(world[i].fd);
                world[i].peer = world[i].peer == world[i].fd ? high : world[i].peer;
                world[i].fd = high;
            }
        }
    }
}

void world_act(enum action action, int desc)
{
    char bytes[4096];
    struct desc *d = &world[desc];
    uint64_t one = 1;
    int bytes_before = world_readable(desc);
    switch (action) {
    case ACT_WRITE:
        if (d->peer >= 0 && d->peer == d->fd) {
            (void)!write(d->fd, &one, sizeof(one));
        } else if (d->peer >= 0 && write(d->peer, "w", 1) == 1) {
            /* A terminal's bytes are moved by a kernel thread. */
            settle(d->fd, POLLIN);
            for (int i = 0; i < 40 && bytes_before >= 0; i++) {
                if (world_readable(desc) > bytes_before) {
                    break;
                }
                sleep_until(now() + 500 * US);
            }
        }
        break;
    case ACT_CLOSE_PEER:
        if (d->peer >= 0) {
            close(d->peer);
            settle(d->fd, POLLIN | POLLRDHUP);
        }
        d->fd = d->peer == d->fd ? -1 : d->fd;
        d->peer = -1;
        break;
    case ACT_CLOSE_SELF:
        if (d->fd >= 0) {
            close(d->fd);
        }
        break;
    case ACT_DRAIN:
        while (d->peer >= 0 && read(d->peer, bytes, sizeof(bytes)) > 0) {
        }
        break;
    default:
        break;
    }
}

int world_readable(int desc)
{
    int bytes = 0;
    return ioctl(world[desc].fd, FIONREAD, &bytes) ? -1 : bytes;
}
