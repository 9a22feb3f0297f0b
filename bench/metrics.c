/* metrics FILE.csv [REPEATS [ERROR [cycles|instructions [expansion|ratio]]]]: how often do the intervals of totals
 * and rates cover the truth, and how wide are they? FILE is the output of `vivace simulate TRACES --gpu
 * PLANNED,OTHER... --metrics --csv`. Launches are planned by `vivace` for ERROR (default 0.05) on the cycles of the
 * first design or on warp instructions, by expansion or by ratio, and drawn REPEATS (default 1000) times.
 *
 * One row for each design and metric: the true value over all launches; the median half-width, the root mean square
 * error and the largest error, as shares of the true value; the coverage of the interval; the median half-width
 * over 1.96 times the root mean square error, which compares it with an interval of known spread; the share of
 * draws whose interval is promised (sampling/estimate/effective.h); and the share of these that do not cover the
 * truth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/harness/redraw.h"
#include "tests/harness/simulated.h"

#define LEVEL 0.95

static int bench_design(const struct simulated *s, size_t design, struct plan *plan, const struct strata *strata,
                        unsigned repeats, struct err *e)
{
    struct metric_score scores[METRIC_SCORES];
    size_t count;

    if (simulated_scores(s, design, plan, strata, repeats, LEVEL, scores, &count, e) < 0)
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct metric_score *x = &scores[i];
        double percent = 100 / fabs(x->truth);

        if (x->known && x->truth != 0)
            printf("%-8s %-22s %11.5g  ±%8.3f %%  error %8.3f %%, most %8.3f %%  holds %5.1f %%  wide %5.2f  df "
                   "%.1f  promised %5.1f %%, of these broken %5.1f %%\n",
                   s->names[design], x->metric->name, x->truth, percent * x->half_width, percent * x->rmse,
                   percent * x->most, 100 * x->holds, x->wide, x->df, 100 * x->promised,
                   x->promised > 0 ? 100 * x->broken / x->promised : 0);
    }
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned repeats = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000;
    double error = argc > 3 ? strtod(argv[3], NULL) : 0.05;
    enum profile_unit unit =
        argc > 4 && strcmp(argv[4], "instructions") == 0 ? PROFILE_WARP_INSTRUCTIONS : PROFILE_NS;
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct simulated s = {.designs = 0};
    struct strata strata = {0};
    struct plan plan = {0};
    struct err e;
    int ret = argc > 1
                  ? simulated_load(&s, argv[1], unit, &e)
                  : err_set(&e, ERR_INVALID, "usage: metrics FILE.csv [REPEATS [ERROR [cycles|instructions]]]");

    params.error = error;
    params.estimator = argc > 5 && strcmp(argv[5], "ratio") == 0 ? PLAN_RATIO : PLAN_EXPANSION;
    if (ret == 0)
        ret = design_plan_by(&s.p, &params, &strata, &plan, &e);
    if (ret == 0)
        printf("%zu launches, planned on %s of %s: %zu strata, %zu samples\n", s.p.count,
               unit == PROFILE_NS ? "cycles" : "warp instructions", s.names[0], plan.stratum_count,
               plan.sample_count);
    for (size_t d = unit == PROFILE_NS; ret == 0 && d < s.designs; d++)
        ret = bench_design(&s, d, &plan, &strata, repeats, &e);
    if (ret < 0)
        fprintf(stderr, "metrics: %s\n", e.text);
    plan_release(&plan);
    strata_release(&strata);
    simulated_release(&s);
    return ret < 0;
}
