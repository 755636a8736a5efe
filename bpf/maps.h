/* The maps; all but the last three are pinned. */
#ifndef HRTIMEOUT_MAPS_H
#define HRTIMEOUT_MAPS_H

#include "helpers.h"
#include "slack.h"

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SLACK_ROWS);
    __type(key, struct slack_key);
    __type(value, struct slack_row);
} slack SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SLACK_ROWS);
    __type(key, struct slack_key);
    __type(value, struct slack_fine);
} slack_fine SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, uint32_t);
    __type(value, struct slack_stats);
} stats SEC(".maps");

/* Filled by the preloaded library, never by the kernel. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, WAITS_ROWS);
    __type(key, uint32_t);
    __type(value, struct waits_row);
} waits SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, WAITS_ROWS);
    __type(key, uint32_t);
    __type(value, struct slack_fine);
} waits_fine SEC(".maps");

/* Set by the library at start; followed over fork, exec and exit by the programs below. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(map_flags, BPF_F_MMAPABLE);
    __uint(max_entries, LOADED_WORDS);
    __type(key, uint32_t);
    __type(value, uint64_t);
} loaded SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SLACK_PENDING);
    __type(key, uint32_t);
    __type(value, uint8_t);
} tgids SEC(".maps");

enum pending_state {
    OVER, /* the entry stays for the thread's next wait: cheaper than a new one each time */
    WAITING,
    STOPPED, /* may be restarted; or a handler ran and it is over */
};

/* A thread's wait. */
struct pending {
    uint64_t deadline;
    uint64_t granted;   /* how much later the kernel may fire */
    uint64_t fire;      /* the interrupt's time, 0: not seen */
    uint64_t run_delay; /* the thread's so far: at the interrupt if seen, else when armed */
    enum stat_call call;
    enum slack_abi abi;
    bool past; /* an absolute deadline that was past when armed */
    enum pending_state state;
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, SLACK_PENDING);
    __type(key, uint32_t);
    __type(value, struct pending);
} pending SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4096); /* grown before loading when samples are wanted */
} samples SEC(".maps");

#endif
