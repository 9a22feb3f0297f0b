/* tests/unit/server/test_launcher.c: the number of workers to start. Expected numbers are computed by hand from
 * the rule in server/domain/queue/launcher.h. */
#include "server/domain/queue/launcher.h"
#include "tests/harness/check.h"

static const struct {
    const char *what;
    uint32_t least, most, slots;
    double target_s;
    struct scale_demand demand;
    uint32_t wanted;
} cases[] = {
    {"nothing to do", 0, 10, 1, 600, {0, 0, 0}, 0},
    {"a standing pool", 2, 10, 1, 600, {0, 0, 0}, 2},
    {"one short job", 0, 10, 1, 600, {1, 0.01, 0}, 1},
    {"ten minutes of work", 0, 10, 1, 600, {60, 600, 0}, 1},
    {"a little more", 0, 10, 1, 600, {61, 610, 0}, 2},
    {"two slots halve it", 0, 10, 2, 600, {240, 2400, 0}, 2},
    {"never more than the most", 0, 10, 1, 600, {10000, 1e6, 0}, 10},
    {"the most holds for busy ones too", 0, 3, 1, 600, {0, 0, 5}, 3},
    {"busy ones are not given up", 0, 10, 1, 600, {0, 0, 4}, 4},
    {"busy ones with short jobs count", 0, 10, 1, 600, {120, 1200, 2}, 2},
    {"each long job needs a worker of its own", 0, 10, 1, 600, {2, 7200, 0}, 2},
    {"and busy ones will not be free for it", 0, 10, 1, 600, {2, 7200, 3}, 5},
    {"not more slots than jobs", 0, 10, 4, 60, {8, 4000, 0}, 2},
};

static void test_wanted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct launcher_settings s = {
            .least = cases[i].least, .most = cases[i].most, .slots = cases[i].slots, .target_s = cases[i].target_s};
        uint32_t wanted = launcher_wanted(&s, &cases[i].demand);

        if (wanted != cases[i].wanted)
            fail_msg("%s: %u, not %u", cases[i].what, wanted, cases[i].wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wanted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
