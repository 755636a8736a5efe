/* A random program of waits: what the generator makes from a seed and the performer carries out. */
#ifndef FUZZ_PROGRAM_H
#define FUZZ_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define MAX_OPS   32
#define MAX_ITEMS 6
#define MAX_DESCS 10

#define US 1000L
#define MS 1000000L
#define S  1000000000L

enum call {
    CALL_POLL,
    CALL_POLL_CHK,
    CALL_POLL_ALIAS, /* __poll */
    CALL_PPOLL,
    CALL_PPOLL_CHK,
    CALL_SELECT,
    CALL_SELECT_ALIAS,
    CALL_PSELECT,
    CALL_EPOLL_WAIT,
    CALL_EPOLL_PWAIT,
    CALL_EPOLL_PWAIT2,
    CALL_NANOSLEEP,
    CALL_NANOSLEEP_ALIAS,
    CALL_CLOCK_NANOSLEEP,
    CALL_USLEEP,
    CALL_SLEEP,
    CALL_THRD_SLEEP,
    CALLS
};

enum timeout {
    TIMEOUT_NULL, /* no pointer, or -1 ms: for ever; something else ends it */
    TIMEOUT_ZERO,
    TIMEOUT_SHORT, /* ends before any planned event */
    TIMEOUT_LONG,  /* ends well after any planned event */
    TIMEOUT_HUGE,  /* would saturate: something else ends it */
    TIMEOUT_NEGATIVE,
    TIMEOUT_DENORMAL,
    TIMEOUTS
};

/* A signal and how it is disposed of. One number each, so that a trace names the disposition. */
enum role {
    ROLE_NONE,
    ROLE_HANDLER,
    ROLE_RESTART, /* SA_RESTART */
    ROLE_IGNORED, /* SIG_IGN */
    ROLE_DEFAULT, /* SIG_DFL, and that is to ignore */
    ROLE_NESTED,  /* the handler waits as well */
    ROLE_JUMP,    /* the handler leaves by siglongjmp */
    ROLE_STOP,    /* SIGSTOP, then SIGCONT */
    ROLES
};

enum mask { MASK_NULL, MASK_OPEN, MASK_CLOSED, MASK_BAD, MASKS };

/* What another thread does to one of the descriptors during the wait. */
enum action { ACT_NONE, ACT_WRITE, ACT_CLOSE_PEER, ACT_CLOSE_SELF, ACT_DRAIN, ACTS };

/* A pointer that isn't an ordinary one. */
enum pointer {
    PTR_GOOD,
    PTR_NULL,     /* the pollfds, sets, events or request */
    PTR_NOWHERE,  /* an unmapped address */
    PTR_READONLY, /* mapped, but read-only */
    PTR_TIMEOUT,  /* epoll_pwait2's timeout, a sleep's request: unmapped */
    PTR_REM_ALIAS,
    PTR_REM_READONLY,
    PTR_REM_NOWHERE,
    PTR_REM_NULL,
    PTRS
};

/* Where the caller's arrays live. */
enum place { PLACE_STACK, PLACE_STATIC, PLACE_HEAP, PLACE_PAGE_END, PLACES };

enum cancel { CANCEL_NO, CANCEL_BEFORE, CANCEL_DURING };

/* An event aimed at the deadline itself: either outcome is legal, a contradiction isn't. */
enum race { RACE_NO, RACE_WRITE, RACE_SIGNAL };

struct item {
    uint8_t desc;
    uint8_t sets;   /* select: 1 read, 2 write, 4 except */
    int16_t events; /* poll */
    uint32_t epoll; /* epoll */
};

struct op {
    enum call call;
    int fork; /* > 0: a child does this op and the next fork - 1, and the parent waits for it */
    int items;
    struct item item[MAX_ITEMS];
    enum timeout timeout;
    long ns; /* the timeout's length, where it has one */
    enum role role;
    bool pending; /* the signal is pending at the call, else it comes at `event` */
    bool blocked; /* the thread blocks it */
    enum mask mask;
    enum action action;
    int target;  /* the item acted on */
    long event;  /* when signal or action come, from the start of the op */
    long spread; /* a race's offset from the deadline */
    enum race race;
    enum cancel cancel;
    enum pointer pointer;
    enum place place;
    int repeat;    /* epoll: waits on the same epoll descriptor */
    int maxevents; /* epoll */
    int nfds_add;  /* select: more than needed (or far less) */
    clockid_t clock;
    int flags;
    enum call inner; /* the wait inside a ROLE_NESTED handler */
};

struct program {
    uint64_t seed;
    int descs;
    uint8_t kind[MAX_DESCS];
    bool high[MAX_DESCS]; /* moved above number 100 */
    int ops;
    struct op op[MAX_OPS];
};

extern const char *const call_names[CALLS];
extern const char *const timeout_names[TIMEOUTS];
extern const char *const role_names[ROLES];

static inline bool is_poll(enum call c)
{
    return c <= CALL_PPOLL_CHK;
}
static inline bool is_select(enum call c)
{
    return c >= CALL_SELECT && c <= CALL_PSELECT;
}
static inline bool is_epoll(enum call c)
{
    return c >= CALL_EPOLL_WAIT && c <= CALL_EPOLL_PWAIT2;
}
static inline bool is_sleep(enum call c)
{
    return c >= CALL_NANOSLEEP;
}
/* Takes whole milliseconds. */
static inline bool is_ms(enum call c)
{
    return c <= CALL_POLL_ALIAS || c == CALL_EPOLL_WAIT || c == CALL_EPOLL_PWAIT;
}
static inline bool takes_mask(enum call c)
{
    return c == CALL_PPOLL || c == CALL_PPOLL_CHK || c == CALL_PSELECT || c == CALL_EPOLL_PWAIT ||
           c == CALL_EPOLL_PWAIT2;
}

void generate(struct program *p, uint64_t seed);

/* Does ops from `from` up to, not including, `to`. */
void perform(const struct program *p, int from, int to);

#endif
