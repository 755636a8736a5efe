/* Settings: what is understood, what is refused and then leaves everything as it was. */
#include "policy.h"

#include "unit.h"

#include <stdlib.h>
#include <string.h>

static void test_refused(void)
{
    static const char *const rows[][2] = {
        {"MODE", "fast"},     {"MODE", ""},
        {"MODE", "TIMER"},    {"SLACK", "0"},
        {"SLACK", "-1"},      {"SLACK", "1x"},
        {"SLACK", " 1"},      {"SLACK", "2147483648"},
        {"SLACK", ""},        {"SLACK", "99999999999999999999"},
        {"CPU", "0"},         {"CPU", "101"},
        {"CPU", "5%"},        {"EINTR", "ignore"},
        {"WRITEBACK", "yes"}, {"CLOCK", "realtime"},
        {"SANDBOX", "maybe"}, {"STATS", ""},
        {"NOSUCH", "1"},      {"", ""},
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct policy p = {.mode = MODE_EXACT, .slack = 7, .cpu = 9};
        struct policy before = p;
        CHECK(!policy_set(&p, rows[i][0], rows[i][1]));
        CHECK(memcmp(&p, &before, sizeof(p)) == 0);
    }
}

static void test_taken(void)
{
    struct policy p = {0};
    CHECK(policy_set(&p, "MODE", "exact") && p.mode == MODE_EXACT);
    CHECK(policy_set(&p, "MODE", "observe") && p.mode == MODE_OBSERVE);
    CHECK(policy_set(&p, "SLACK", "2147483647") && p.slack == 2147483647);
    CHECK(policy_set(&p, "SLACK", "keep") && p.slack == SLACK_KEEP);
    CHECK(policy_set(&p, "CPU", "100") && p.cpu == 100);
    CHECK(policy_set(&p, "EINTR", "resume") && p.resume);
    CHECK(policy_set(&p, "EINTR", "return") && !p.resume);
    CHECK(policy_set(&p, "WRITEBACK", "linux") && p.writeback == WRITEBACK_LINUX);
    CHECK(policy_set(&p, "CLOCK", "boottime") && p.clock == CLOCK_BOOTTIME);
    CHECK(policy_set(&p, "SANDBOX", "trust") && p.sandbox == SANDBOX_TRUST);
    CHECK(policy_takes("MODE") && !policy_takes("NOSUCH"));
}

static void test_lists(void)
{
    CHECK(policy_lists("a,bc", "bc"));
    CHECK(policy_lists("a,bc", "/usr/bin/a"));
    CHECK(policy_lists("a,,bc", "bc"));
    CHECK(!policy_lists("abc", "bc"));
    CHECK(!policy_lists("bc", "b"));
    CHECK(!policy_lists("", "b"));
    CHECK(!policy_lists("b,", ""));
    CHECK(!policy_lists("b", "/usr/bin/"));
}

static void test_environment(void)
{
    struct policy p;
    setenv("HRTIMEOUT_MODE", "turbo", 1);
    setenv("HRTIMEOUT_CPU", "many", 1);
    setenv("HRTIMEOUT_SLACK", "5", 1);
    policy_read(&p);
    EQUAL(p.mode, MODE_TIMER);
    EQUAL(p.cpu, 5);
    EQUAL(p.slack, 5);
    EQUAL(p.errors, 2);
    setenv("HRTIMEOUT_SKIP", "other,policy", 1);
    policy_read(&p);
    EQUAL(p.mode, MODE_OFF);
    setenv("HRTIMEOUT_SKIP", "other", 1);
    setenv("HRTIMEOUT_ONLY", "policy", 1);
    policy_read(&p);
    EQUAL(p.mode, MODE_TIMER);
    setenv("HRTIMEOUT_ONLY", "other", 1);
    policy_read(&p);
    EQUAL(p.mode, MODE_OFF);
}

int main(void)
{
    test_refused();
    test_taken();
    test_lists();
    test_environment();
    return unit_failures != 0;
}
