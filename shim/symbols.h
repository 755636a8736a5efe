/*
 * The one table of what the library takes over. Lookup (real.c), the export map (Makefile), the
 * list that the command checks binaries against and the export test are all made from it.
 *
 *   WRAP(name, glibc)   an exported wrapper with a real function behind it; `glibc` is the first
 *                       glibc that has it, as major * 100 + minor. A name that the running libc
 *                       lacks must not be looked for: a dlsym() that fails calls malloc().
 *   ALIAS(name, of)     another exported name of the same wrapper
 *
 * No include guard: whoever includes this defines the two macros first.
 */
WRAP(poll, 200)
WRAP(ppoll, 204)
WRAP(select, 200)
WRAP(pselect, 200)
WRAP(epoll_wait, 203)
WRAP(epoll_pwait, 206)
WRAP(nanosleep, 200)
WRAP(clock_nanosleep, 217)
WRAP(usleep, 200)
WRAP(sleep, 200)
WRAP(thrd_sleep, 228)
WRAP(prctl, 200)
#ifdef __GLIBC__
WRAP(epoll_pwait2, 235)
WRAP(__poll_chk, 216)
WRAP(__ppoll_chk, 216)
ALIAS(__poll, poll)
ALIAS(__select, select)
ALIAS(__nanosleep, nanosleep)
#if __TIMESIZE == 32
WRAP(__select64, 234)
WRAP(__pselect64, 234)
WRAP(__ppoll64, 234)
WRAP(__nanosleep64, 234)
WRAP(__clock_nanosleep_time64, 234)
WRAP(__thrd_sleep64, 234)
WRAP(__epoll_pwait2_time64, 235)
WRAP(__ppoll64_chk, 237)
ALIAS(__prctl_time64, prctl)
#endif
#elif __SIZEOF_LONG__ == 4 /* musl, whose 32-bit headers turn the plain names into these */
WRAP(__select_time64, 0)
WRAP(__pselect_time64, 0)
WRAP(__ppoll_time64, 0)
WRAP(__nanosleep_time64, 0)
WRAP(__clock_nanosleep_time64, 0)
WRAP(__thrd_sleep_time64, 0)
#endif
