/* The intervals of totals and rates on a real workload: all launches of examples/tiny-gpt, simulated on three
 * designs, with plans drawn 400 times. Nearly all intervals contain the true value, and none is much wider than the
 * errors. Those that are promised contain it on every design, also with plans by cycles. bench/metrics.sh and
 * docs/design/differences-and-counters.md cover other plans, workloads and designs, also those where intervals
 * fail. */
#include "tests/harness/check.h"

#include "tests/harness/redraw.h"
#include "tests/harness/simulated.h"

enum { DRAWS = 400 };

/* Largest allowed width of an interval. Few launches read DRAM, so this rate depends on whether a draw includes
 * them. Bank conflicts hardly differ, so the minimum width of an interval applies. Three tenths of the hits in L1
 * are those of layer_norm with 8 and 23 CTAs, which share a stratum of 16 launches. Two samples of it are one
 * degree of freedom, so t is 12.7; see three_samples_make_the_interval_of_l1_hits_narrow(). */
static const struct {
    const char *name;
    double wide;
} limits[] = {
    {"dram_row_hit_rate", 5},
    {"l1_hit_rate", 6},
    {"bank_conflicts", 5},
    {"power",
     4}, /* an error of 0.07 %: two samples of one kernel that differ count for those of others that agree */
    {NULL, 3.5},
};

/* At least 93 % of the intervals contain the true value, or almost none is promised
 * (sampling/estimate/effective.h): the intervals of L1 hit rate and DRAM row hit rate do so in 81.9 and 89.1 % of
 * 2000 draws. */
#define HOLDS_MIN  0.93
#define UNPROMISED 0.05
#define CHANCE     0.024 /* two standard errors of 400 draws */

static void simulate(char csv[64])
{
    const char *build = getenv("VIVACE_BUILD");
    char folder[] = "/tmp/vivace-rates-XXXXXX", command[1024];

    build = build ? build : "build";
    assert_non_null(mkdtemp(folder));
    snprintf(csv, 64, "%s.csv", folder);
    snprintf(command, sizeof command,
             "%s/vivace ptx run examples/tiny-gpt/launches.json --trace %s/t.vtrace >%s/out 2>&1 && "
             "%s/vivace simulate %s/t.vtrace --gpu v100,rtx2080,h100 --metrics -q --csv >%s; status=$?; rm -r "
             "%s; exit $status",
             build, folder, folder, build, folder, csv, folder);
    assert_int_equal(system(command), 0);
}

static const struct metric_score *score_of(const struct metric_score *scores, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(scores[i].metric->name, name) == 0)
            return &scores[i];
    fail_msg("there is no metric %s", name);
    return NULL;
}

/* Power is energy over time. This workload uses a V100 only a little: above the power of its idle SMs, below 300
 * W. */
static void check_power(const struct simulated *s, const struct metric_score *scores, size_t count)
{
    double cycles = 0, watts = score_of(scores, count, "power")->truth;

    for (size_t i = 0; i < s->p.count; i++)
        cycles += simulated_counter(s, 0, "cycles")[i];
    CHECK_NEAR(score_of(scores, count, "energy")->truth, watts * cycles / s->clock_hz[0], 1e-9);
    assert_true(watts > 30 && watts < 300);
}

/* Draws a plan of at least samples_min launches a stratum, and scores its intervals. Returns the number of scores.
 */
static size_t score(const struct simulated *s, uint32_t samples_min, struct metric_score scores[METRIC_SCORES])
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct strata strata = {0};
    struct plan plan = {0};
    size_t count;
    struct err e;

    params.least_samples = samples_min;
    CHECK_OK(design_plan_by(&s->p, &params, &strata, &plan, &e), &e);
    CHECK_OK(simulated_scores(s, 0, &plan, &strata, DRAWS, 0.95, scores, &count, &e), &e);
    plan_release(&plan);
    strata_release(&strata);
    return count;
}

static void intervals_of_metrics_hold_and_are_no_wider_than_they_have_to_be(void **state)
{
    struct metric_score scores[METRIC_SCORES];
    size_t count = score(*state, 2, scores);

    assert_true(count >= 14);
    for (size_t i = 0; i < count; i++) {
        const struct metric_score *x = &scores[i];
        size_t k = 0;

        while (limits[k].name && strcmp(limits[k].name, x->metric->name) != 0)
            k++;
        if (x->known < DRAWS || (x->holds < HOLDS_MIN && x->promised > UNPROMISED) || x->wide > limits[k].wide)
            fail_msg(
                "%s: %u of %d draws have an interval, %.1f %% of them hold, %.1f %% are promised, %.2f times as "
                "wide as its error",
                x->metric->name, x->known, DRAWS, 100 * x->holds, 100 * x->promised, x->wide);
    }
    assert_true(score_of(scores, count, "energy")->promised == 1 && score_of(scores, count, "ipc")->promised == 1);
    check_power(*state, scores, count);
}

static void three_samples_make_the_interval_of_l1_hits_narrow(void **state)
{
    struct metric_score scores[METRIC_SCORES];
    size_t count = score(*state, 3, scores);

    assert_true(score_of(scores, count, "l1_hit_rate")->wide < 3);
}

/* Fails if promised intervals of this plan do not contain the true value. */
static void check_promised(const struct simulated *s, double error, const char *by)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct strata strata = {0};
    struct plan plan = {0};
    struct err e;

    params.error = error;
    CHECK_OK(design_plan_by(&s->p, &params, &strata, &plan, &e), &e);
    for (size_t d = 0; d < s->designs; d++) {
        struct metric_score scores[METRIC_SCORES];
        size_t count;

        CHECK_OK(simulated_scores(s, d, &plan, &strata, DRAWS, 0.95, scores, &count, &e), &e);
        for (size_t i = 0; i < count; i++)
            if (scores[i].broken > 0.06 * scores[i].promised + CHANCE)
                fail_msg("%s of %s, planned on %s for %.0f %%: %.1f %% of the draws are promised, %.1f %% are "
                         "promised and do not hold",
                         scores[i].metric->name, s->names[d], by, 100 * error, 100 * scores[i].promised,
                         100 * scores[i].broken);
    }
    plan_release(&plan);
    strata_release(&strata);
}

/* DRAM bytes of an RTX 2080 were promised in 25 % of the draws: those without the 30 launches that overflow its L2.
 * Two thirds of these contained the true value. Planned on instructions for 1 %, instructions a cycle of an H100
 * were promised in all draws and held in 85 %: eight launches of `matmul` with nearly equal counts take two times,
 * and two samples of them agree in 43 % of the draws. */
static void promised_intervals_hold_on_every_design(void **state)
{
    const struct simulated *all = *state;

    check_promised(&all[0], 0.05, "instructions");
    check_promised(&all[0], 0.01, "instructions");
    check_promised(&all[1], 0.05, "cycles");
}

static int before_all(void **state)
{
    static struct simulated s[2];
    char csv[64];
    struct err e;

    simulate(csv);
    CHECK_OK(simulated_load(&s[0], csv, PROFILE_WARP_INSTRUCTIONS, &e), &e);
    CHECK_OK(simulated_load(&s[1], csv, PROFILE_NS, &e), &e);
    assert_int_equal(remove(csv), 0);
    *state = s;
    return 0;
}

static int after_all(void **state)
{
    struct simulated *s = *state;

    simulated_release(&s[0]);
    simulated_release(&s[1]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_metrics_hold_and_are_no_wider_than_they_have_to_be),
        cmocka_unit_test(promised_intervals_hold_on_every_design),
        cmocka_unit_test(three_samples_make_the_interval_of_l1_hits_narrow),
    };

    return cmocka_run_group_tests(tests, before_all, after_all);
}
