/* Simple random sampling without replacement over all launches: every launch has the same probability. The
 * reference for other methods.
 *
 *     total = N mean of n draws;   V = N^2 (1 - n/N) S^2 / n;   n: the fewest with t_df sqrt(V) <= epsilon total
 *
 * Source: Cochran, Sampling Techniques (1977), chapters 2 and 4. Assumes that the mean of n draws is nearly normal.
 * If few launches have most of the time, the remaining skewness lowers the coverage of the interval (what the plan
 * does then: random_sample.h). */
#include "sampling/methods/method.h"
#include "sampling/strata/random_sample.h"

static int srs_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                        struct err *e)
{
    struct random_population all;
    uint64_t n;

    if (random_population_of(p, false, out, &all, e) < 0)
        return -1;
    n = random_size(&all, params);
    random_finish(&all, n, params, out);
    return strata_add(out, p, 0, 0, 0, out->groups.run_count, n, e);
}

const struct method method_srs = {
    .name = "srs",
    .title = "Random",
    .takes = TAKES_SHARE,
    .sentence = "Simple random sampling without replacement over all launches. The number is what the error needs "
                "(or a given share).",
    .stratify = srs_stratify,
};
