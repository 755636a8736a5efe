/*
 * What users ask to have noticed in a program: loops that burn CPU or never end because of how it
 * waits. Looked for only while statistics are kept; thread-local, no system call, no clock.
 */
#ifndef HRTIMEOUT_NOTICE_H
#define HRTIMEOUT_NOTICE_H

#include "stats.h"
#include "time64.h"

#include <poll.h>
#include <sys/epoll.h>

/* Before a zero-timeout wait for descriptors: many in a row are a busy loop. */
void notice_zero(enum stat_call call);

/* After any other counted wait: timeouts armed again after EINTR, refused and cut sleeps. */
void notice_result(const struct stat_wait *w, int error);

/* After a wait that found descriptors ready: one hung up that nobody handles is ready for ever. */
void notice_poll(enum stat_call call, const struct pollfd *fds, nfds_t count);
void notice_epoll(enum stat_call call, const struct epoll_event *events, int count);

/* select's timeval has been counted down to zero; select is called with a zero timeval. */
void notice_counted_down(const struct timeval64 *tv);
void notice_zero_timeval(const struct timeval64 *tv);

#endif
