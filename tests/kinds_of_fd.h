/* A descriptor of every kind whose readiness select and poll word differently. */
#ifndef KINDS_OF_FD_H
#define KINDS_OF_FD_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_KINDS 40

static struct kind_of_fd {
    const char *name;
    int fd;
} kinds[MAX_KINDS];
static int kind_count;

static inline void add_kind(const char *name, int fd)
{
    if (fd < 0 || kind_count == MAX_KINDS) {
        abort();
    }
    kinds[kind_count++] = (struct kind_of_fd){name, fd};
}

static inline void add_pipes(void)
{
    int quiet[2], full[2], no_writer[2], no_reader[2], rest[2];
    char page[4096] = {0};
    if (pipe(quiet) || pipe2(full, O_NONBLOCK) || pipe(no_writer) || pipe(no_reader) ||
        pipe(rest)) {
        abort();
    }
    while (write(full[1], page, sizeof(page)) > 0) {
    }
    if (write(rest[1], "x", 1) != 1) {
        abort();
    }
    close(no_writer[1]);
    close(no_reader[0]);
    close(rest[1]);
    add_kind("empty pipe", quiet[0]);
    add_kind("pipe with room", quiet[1]);
    add_kind("pipe with data", full[0]);
    add_kind("full pipe", full[1]);
    add_kind("pipe without writer", no_writer[0]);
    add_kind("pipe without reader", no_reader[1]);
    add_kind("data, then no writer", rest[0]);
}

static inline void add_unix_sockets(void)
{
    int quiet[2], half[2], gone[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, quiet) || socketpair(AF_UNIX, SOCK_STREAM, 0, half) ||
        socketpair(AF_UNIX, SOCK_STREAM, 0, gone)) {
        abort();
    }
    shutdown(half[1], SHUT_WR);
    close(gone[1]);
    add_kind("quiet socket", quiet[0]);
    add_kind("half-closed peer", half[0]);
    add_kind("half-closed here", half[1]);
    add_kind("closed peer", gone[0]);
    add_kind("unconnected socket", socket(AF_UNIX, SOCK_STREAM, 0));
    add_kind("datagram socket", socket(AF_UNIX, SOCK_DGRAM, 0));
}

/* Loopback only. */
static inline void add_tcp_sockets(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0), idle = socket(AF_INET, SOCK_STREAM, 0);
    int client = socket(AF_INET, SOCK_STREAM, 0), refused = socket(AF_INET, SOCK_STREAM, 0);
    int urgent = socket(AF_INET, SOCK_STREAM, 0);
    if (listen(listener, 5) || listen(idle, 5) ||
        getsockname(listener, (struct sockaddr *)&address, &length) ||
        connect(urgent, (struct sockaddr *)&address, length)) {
        abort();
    }
    int accepted = accept(listener, NULL, NULL);
    if (send(urgent, "!", 1, MSG_OOB) != 1 ||
        connect(client, (struct sockaddr *)&address, length)) {
        abort();
    }
    add_kind("listener with a caller", listener);
    add_kind("idle listener", idle);
    add_kind("caller", client);
    add_kind("urgent data", accepted);
    /* A port that was free a moment ago: nobody listens there. */
    int closed = socket(AF_INET, SOCK_STREAM, 0);
    address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(closed, (struct sockaddr *)&address, length) ||
        getsockname(closed, (struct sockaddr *)&address, &length)) {
        abort();
    }
    fcntl(refused, F_SETFL, O_NONBLOCK);
    connect(refused, (struct sockaddr *)&address, length);
    add_kind("refused connection", refused);
}

static inline int open_pty(int *terminal)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) || unlockpt(master)) {
        return -1;
    }
    *terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    return master;
}

static inline void add_others(void)
{
    int left, right, timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    char path[] = "/tmp/kinds.XXXXXX";
    int file = mkstemp(path);
    unlink(path);
    if (timerfd_settime(timer, 0, &soon, NULL)) {
        abort();
    }
    add_kind("eventfd at 0", eventfd(0, 0));
    add_kind("eventfd at 1", eventfd(1, 0));
    int full = eventfd(0, EFD_NONBLOCK);
    if (write(full, &(uint64_t){UINT64_MAX - 1}, 8) != 8) {
        abort();
    }
    add_kind("full eventfd", full);
    add_kind("unarmed timerfd", timerfd_create(CLOCK_MONOTONIC, 0));
    add_kind("expired timerfd", timer);
    add_kind("regular file", file);
    add_kind("/dev/null", open("/dev/null", O_RDWR));
    add_kind("directory", open("/", O_RDONLY | O_DIRECTORY));
    add_kind("O_PATH", open("/", O_PATH));
    add_kind("empty epoll", epoll_create1(0));
    int master = open_pty(&left);
    close(left);
    add_kind("pty, terminal closed", master);
    master = open_pty(&right);
    close(master);
    add_kind("terminal, pty closed", right);
    master = open_pty(&right);
    add_kind("quiet pty", master);
    add_kind("quiet terminal", right);
}

static inline void open_kinds(void)
{
    add_pipes();
    add_unix_sockets();
    add_tcp_sockets();
    add_others();
}

#endif
