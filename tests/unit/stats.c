/* The histogram's slots, and that every end of a wait is counted as what it was. */
#include "stats.h"

#include "policy.h"
#include "unit.h"

#include <errno.h>
#include <string.h>

static void test_slots(void)
{
    EQUAL(hist_slot(-1), 0);
    EQUAL(hist_slot(INT64_MAX), HIST_SLOTS - 1);
    for (unsigned slot = 0; slot < HIST_SLOTS; slot++) {
        int64_t floor = hist_floor(slot);
        EQUAL(hist_slot(floor), slot);
        if (slot) {
            EQUAL(hist_slot(floor - 1), slot - 1);
        }
        if (slot >= HIST_STEPS && slot + 1 < HIST_SLOTS) {
            CHECK((hist_floor(slot + 1) - floor) * 8 <= floor);
        }
    }
}

static struct stats_file file;

static void result(enum stat_call call, int64_t timeout, bool ready, int error)
{
    struct stat_wait w = stats_begin(call, timeout);
    stats_result(&w, ready, error);
}

static void test_ends(void)
{
    struct stat_record *record = &file.call[CALL_POLL];
    stats = &file;
    policy.clock = CLOCK_MONOTONIC;
    result(CALL_POLL, 0, false, 0);
    result(CALL_POLL, -1, true, 0);
    result(CALL_POLL, 1000, true, 0);
    result(CALL_POLL, 1000, false, EINTR);
    result(CALL_POLL, 1000, false, EBADF);
    for (unsigned end = 0; end < END_COUNT; end++) {
        EQUAL(record->ended[end], end == END_TIMEOUT ? 0 : 1);
    }
    stats_count_timeout(CALL_POLL, 100);
    stats_count_timeout(CALL_POLL, 5);
    EQUAL(record->ended[END_TIMEOUT], 2);
    EQUAL(record->late_sum_ns, 105);
    EQUAL(record->late_max_ns, 100);
    EQUAL(record->hist[hist_slot(100)], 1);
    EQUAL(record->hist[5], 1);
    EQUAL(record->early, 0);
    stats_count_timeout(CALL_POLL, -1);
    EQUAL(record->early, 1);
}

static void test_notices(void)
{
    uint64_t(*n)[NOTICE_COUNT] = &file.call[CALL_NANOSLEEP].notice;
    memset(&file, 0, sizeof(file));
    result(CALL_NANOSLEEP, 1000, false, EINTR);
    result(CALL_NANOSLEEP, 1000, false, EINTR); /* armed again */
    result(CALL_NANOSLEEP, 2000, false, 0);
    result(CALL_NANOSLEEP, 2000, false, 0);
    EQUAL((*n)[NOTICE_CUT_SHORT], 2);
    EQUAL((*n)[NOTICE_REARMED], 1);
    result(CALL_NANOSLEEP, 0, false, EINVAL);
    EQUAL((*n)[NOTICE_INVALID], 1);
    for (int i = 0; i < 200; i++) {
        stats_zero(CALL_POLL);
    }
    EQUAL(file.call[CALL_POLL].ended[END_ZERO], 200);
    EQUAL(file.call[CALL_POLL].notice[NOTICE_ZERO_BURST], 192);
    result(CALL_USLEEP, INT64_C(4294967291000), false, EINTR);
    EQUAL(file.call[CALL_USLEEP].notice[NOTICE_ABSURD], 1);
    stats = NULL;
}

int main(void)
{
    test_slots();
    test_ends();
    test_notices();
    return unit_failures != 0;
}
