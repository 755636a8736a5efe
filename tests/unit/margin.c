/* The margin follows how late a thread wakes and stays in bounds; the budget holds. */
#include "margin.h"

#include "deadline.h"
#include "unit.h"

static int64_t now = NS_PER_SEC;

/* One wait of `length` ns whose stages wake `late` ns after their aim: what was spun. */
static int64_t wait_once(int64_t length, int64_t late)
{
    int64_t deadline = now + length;
    int64_t aim = margin_aim(MARGIN_SLEEP, length, now);
    int64_t woke = aim < length ? deadline - aim + late : now;
    if (aim && aim < length) {
        margin_learn(MARGIN_SLEEP, late);
    }
    int64_t spun = aim && woke < deadline ? deadline - woke : 0;
    margin_pay(spun);
    now = woke > deadline ? woke : deadline;
    return spun;
}

static void test_follows(void)
{
    margin_init(100);
    for (int i = 0; i < 5000; i++) {
        wait_once(NS_PER_MS, 50000);
    }
    int64_t aim = margin_aim(MARGIN_SLEEP, NS_PER_MS, now);
    CHECK(aim >= 50000 && aim < 65000);
    for (int i = 0; i < 300; i++) {
        wait_once(NS_PER_MS, 90000);
    }
    CHECK(margin_aim(MARGIN_SLEEP, NS_PER_MS, now) >= 90000);
}

static void test_bounds(void)
{
    margin_init(100);
    for (int i = 0; i < 1000; i++) {
        wait_once(NS_PER_SEC, 10 * NS_PER_SEC);
        CHECK(margin_aim(MARGIN_SLEEP, NS_PER_SEC, now) <= MARGIN_MAX);
    }
    for (int i = 0; i < 100000; i++) {
        wait_once(NS_PER_MS, 0);
    }
    int64_t aim = margin_aim(MARGIN_SLEEP, NS_PER_MS, now);
    CHECK(aim > 0 && aim < 14000);
}

static void test_budget(int64_t length)
{
    int64_t spun = 0;
    margin_init(5);
    int64_t start = now;
    for (int i = 0; i < 20000; i++) {
        spun += wait_once(length, 20000 + i % 37 * 1000);
    }
    CHECK(spun <= (now - start) / 20 + 3 * NS_PER_MS); /* the burst comes on top */
    CHECK(spun > 0);
}

int main(void)
{
    test_follows();
    test_bounds();
    test_budget(20000);
    test_budget(200000);
    test_budget(NS_PER_MS);
    return unit_failures != 0;
}
