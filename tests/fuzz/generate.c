/* Makes a program from a seed. The same seed gives the same program on every machine. */
#include "program.h"
#include "world.h"

#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>

static uint64_t state;

static uint64_t next(void) /* splitmix64 */
{
    uint64_t z = state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static long between(long low, long high)
{
    return low + (long)(next() % (uint64_t)(high - low + 1));
}

static bool percent(int chance)
{
    return between(1, 100) <= chance;
}

static const short poll_bits[] = {
    POLLIN,          POLLOUT, POLLPRI, POLLIN | POLLOUT, 0, POLLRDHUP, POLLRDNORM | POLLWRNORM,
    POLLIN | POLLPRI};
static const uint32_t epoll_bits[] = {EPOLLIN,
                                      EPOLLOUT,
                                      EPOLLPRI,
                                      EPOLLIN | EPOLLOUT,
                                      EPOLLIN | EPOLLET,
                                      EPOLLOUT | EPOLLET,
                                      EPOLLIN | EPOLLONESHOT,
                                      EPOLLRDHUP,
                                      0};

#define PICK(table) (table)[between(0, (long)(sizeof(table) / sizeof((table)[0])) - 1)]

static void choose_items(struct op *op, int descs)
{
    op->items = is_sleep(op->call) ? 0 : (int)between(0, MAX_ITEMS);
    if (percent(25) && !is_sleep(op->call)) {
        op->items = 0;
    }
    for (int i = 0; i < op->items; i++) {
        op->item[i] = (struct item){.desc = (uint8_t)between(0, descs - 1),
                                    .sets = (uint8_t)between(1, 7),
                                    .events = PICK(poll_bits),
                                    .epoll = PICK(epoll_bits)};
    }
    op->place = (enum place)between(0, PLACES - 1);
    op->repeat = is_epoll(op->call) ? (int)between(1, 3) : 1;
    op->maxevents = percent(5) ? (int)between(-1, 0) : (int)between(1, MAX_ITEMS);
    op->nfds_add = percent(15) ? (int)between(1, 900) : 0;
    if (is_select(op->call) && percent(8)) {
        op->nfds_add = percent(20) ? INT_MIN : (int)between(-40, -1); /* INT_MIN: negative nfds */
    }
}

/*
 * Lengths keep three moments apart: at once (below 1 ms), the event (3 to 4 ms), the timeout of an
 * op with an event (8 ms on, or below 1.5 ms, before the event).
 */
static void choose_timeout(struct op *op)
{
    static const enum timeout usual[] = {TIMEOUT_SHORT, TIMEOUT_SHORT, TIMEOUT_SHORT, TIMEOUT_SHORT,
                                         TIMEOUT_SHORT, TIMEOUT_ZERO,  TIMEOUT_ZERO,  TIMEOUT_LONG};
    static const enum timeout odd[] = {TIMEOUT_NULL, TIMEOUT_HUGE, TIMEOUT_NEGATIVE,
                                       TIMEOUT_DENORMAL};
    op->timeout = percent(12) ? PICK(odd) : PICK(usual);
    op->event = between(3000, 3900) * US;
    switch (op->timeout) {
    case TIMEOUT_SHORT:
        op->ns = percent(50) ? between(1, 300 * US) : between(50 * US, 1500 * US);
        break;
    case TIMEOUT_LONG:
        op->ns = percent(50) ? between(8 * MS, 9 * MS) : between(10 * MS, 14 * MS);
        break;
    default:
        op->ns = 0;
    }
    if (is_ms(op->call) && op->ns) {
        op->ns = op->timeout == TIMEOUT_SHORT ? MS : op->ns / MS * MS;
    } else if (is_select(op->call) && op->call != CALL_PSELECT) {
        op->ns = op->ns / US * US;
    } else if (op->call == CALL_USLEEP) {
        op->ns = op->ns / US * US;
    } else if (op->call == CALL_SLEEP) {
        op->ns = op->timeout == TIMEOUT_LONG ? between(1, 3) * S : 0;
    }
}

/* A sleep until CPU time is used up: never, by itself. */
static bool takes_cpu_time(const struct op *op)
{
    return op->call == CALL_CLOCK_NANOSLEEP &&
           (op->clock < 0 || op->clock == CLOCK_PROCESS_CPUTIME_ID);
}

static void choose_signal(struct op *op)
{
    bool must_end = (op->timeout != TIMEOUT_ZERO && op->timeout != TIMEOUT_SHORT &&
                     op->timeout != TIMEOUT_LONG) ||
                    op->call == CALL_SLEEP ||
                    (op->call == CALL_CLOCK_NANOSLEEP && op->clock != CLOCK_MONOTONIC);
    op->mask = takes_mask(op->call) ? (enum mask)between(0, MASKS - 1) : MASK_NULL;
    if (op->mask == MASK_BAD && !percent(20)) {
        op->mask = MASK_NULL;
    }
    if (percent(must_end ? 70 : 10)) {
        op->role = (enum role)between(ROLE_HANDLER, ROLE_JUMP);
    }
    if (op->role == ROLE_NONE && op->timeout == TIMEOUT_LONG && !takes_cpu_time(op) && percent(8)) {
        op->role = ROLE_STOP;
        /* At a stop the kernel writes the rest, and fails when it can't; nobody can ask for that.
         */
        op->pointer = op->pointer >= PTR_REM_READONLY ? PTR_GOOD : op->pointer;
    }
    if (op->role != ROLE_NONE && op->role != ROLE_STOP) {
        op->pending = percent(30);
        op->blocked = op->pending || percent(30);
    }
    op->inner = (enum call)between(0, CALLS - 1);
    /* What can't end by itself is ended by a signal that surely gets through. */
    if (must_end && (op->role == ROLE_NONE || op->role == ROLE_IGNORED ||
                     op->role == ROLE_DEFAULT || op->blocked)) {
        op->role = percent(50) ? ROLE_HANDLER : ROLE_RESTART;
        op->pending = false;
        op->blocked = takes_mask(op->call) && op->mask == MASK_OPEN && percent(50);
    }
    if (must_end && op->mask == MASK_CLOSED) {
        op->mask = MASK_NULL;
        op->blocked = false;
    }
}

static void choose_action(struct op *op)
{
    bool waits = op->timeout == TIMEOUT_LONG || op->timeout == TIMEOUT_NULL;
    bool alone = op->role == ROLE_NONE || op->role == ROLE_HANDLER || op->role == ROLE_RESTART;
    if (!op->items || !waits || !alone || !percent(60)) {
        return;
    }
    op->action = (enum action)between(ACT_WRITE, ACTS - 1);
    op->target = (int)between(0, op->items - 1);
}

/* Deadline and event at the same moment. Only where nothing else happens. */
static void choose_race(struct op *op)
{
    if (op->timeout != TIMEOUT_SHORT || op->role != ROLE_NONE || op->cancel ||
        op->pointer != PTR_GOOD || !percent(8)) {
        return;
    }
    op->race = percent(50) && op->items ? RACE_WRITE : RACE_SIGNAL;
    op->spread = percent(50) ? between(-60 * US, 60 * US) : between(-300 * US, 100 * US);
    if (op->race == RACE_WRITE) {
        op->items = 1;
        op->item[0].events = POLLIN;
        op->item[0].sets = 1;
        op->item[0].epoll = EPOLLIN;
        op->repeat = 1;
        op->maxevents = 1;
        op->nfds_add = 0;
    } else {
        op->items = 0;
        op->role = ROLE_HANDLER;
        op->blocked = takes_mask(op->call);
        op->mask = op->blocked ? MASK_OPEN : MASK_NULL;
        op->repeat = 1;
        op->maxevents = 1;
        op->nfds_add = 0;
    }
}

static void choose_pointer(struct op *op)
{
    if (is_sleep(op->call)) {
        static const enum pointer rem[] = {PTR_GOOD,     PTR_REM_ALIAS,    PTR_REM_ALIAS,
                                           PTR_REM_NULL, PTR_REM_READONLY, PTR_REM_NOWHERE};
        op->pointer = PICK(rem);
        if (percent(3) && op->call != CALL_USLEEP && op->call != CALL_SLEEP) {
            op->pointer = PTR_TIMEOUT;
        }
    } else if (percent(6)) {
        op->pointer = (enum pointer)between(PTR_NULL, PTR_READONLY);
    } else if (op->call == CALL_EPOLL_PWAIT2 && percent(4)) {
        op->pointer = PTR_TIMEOUT;
    }
}

static void choose_clock(struct op *op)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI};
    static const clockid_t rare[] = {CLOCK_MONOTONIC_RAW,
                                     CLOCK_REALTIME_COARSE,
                                     CLOCK_MONOTONIC_COARSE,
                                     CLOCK_THREAD_CPUTIME_ID,
                                     CLOCK_PROCESS_CPUTIME_ID,
                                     99,
                                     -1,
                                     -7};
    op->clock = percent(50) ? CLOCK_MONOTONIC : percent(80) ? PICK(clocks) : PICK(rare);
    op->flags = percent(45) ? TIMER_ABSTIME : percent(6) ? 2 : 0;
}

/* A short time of CPU may or may not be used up by the sleeper itself before its signal comes. */
static void lengthen_cpu_time(struct op *op)
{
    if (takes_cpu_time(op) && op->timeout == TIMEOUT_SHORT) {
        op->timeout = TIMEOUT_LONG;
        op->ns = 9 * MS;
    }
}

static void choose_op(struct op *op, int descs)
{
    memset(op, 0, sizeof(*op));
    op->call = (enum call)between(0, CALLS - 1);
    if (op->call == CALL_SLEEP && !percent(20)) {
        op->call = CALL_NANOSLEEP; /* a whole second is too long to come often */
    }
    choose_items(op, descs);
    choose_clock(op);
    choose_timeout(op);
    lengthen_cpu_time(op);
    choose_pointer(op);
    choose_signal(op);
    choose_action(op);
    if ((op->timeout == TIMEOUT_LONG || op->timeout == TIMEOUT_ZERO) && op->role == ROLE_NONE &&
        op->action == ACT_NONE && op->pointer <= PTR_NOWHERE && percent(6)) {
        op->cancel = op->timeout == TIMEOUT_ZERO || percent(30) ? CANCEL_BEFORE : CANCEL_DURING;
        op->repeat = 1;
    }
    choose_race(op);
    if (op->race || op->action || op->role == ROLE_JUMP) {
        op->repeat = 1;
    }
    op->fork = percent(1) ? (int)between(1, 3) : 0;
}

void generate(struct program *p, uint64_t seed)
{
    memset(p, 0, sizeof(*p));
    p->seed = state = seed;
    next();
    p->descs = (int)between(4, MAX_DESCS);
    for (int i = 0; i < p->descs; i++) {
        p->kind[i] = (uint8_t)between(0, KINDS - 1);
        p->high[i] = percent(6);
    }
    p->ops = (int)between(12, MAX_OPS);
    for (int i = 0; i < p->ops; i++) {
        choose_op(&p->op[i], p->descs);
    }
}
