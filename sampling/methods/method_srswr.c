/* Simple random sampling with replacement over all launches: the random baseline of STEM's artifact (there n = N /
 * 1000), and the assumption of the papers' formulas.
 *
 *     total = N mean of n draws;   V = N^2 sigma^2 / n;   n: the fewest with t_df sqrt(V) <= epsilon total
 *
 * Source: Cochran, Sampling Techniques (1977), section 2.9. A launch drawn twice counts twice and is simulated
 * once. Never better than `srs`, as there is no finite-population correction, and no number of draws is a census:
 * if N draws do not meet the error, N draws are made and the promise is their half-width. Assumes, as `srs`, that
 * the mean of n draws is nearly normal. */
#include "sampling/methods/method.h"
#include "sampling/strata/random_sample.h"

static int srswr_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                          struct err *e)
{
    struct random_population all;
    uint64_t n;

    if (random_population_of(p, true, out, &all, e) < 0)
        return -1;
    n = random_size(&all, params);
    random_finish(&all, n, params, out);
    return strata_add(out, p, 0, 0, 0, out->groups.run_count, n, e);
}

const struct method method_srswr = {
    .name = "srswr",
    .title = "Random, with replacement",
    .takes = TAKES_SHARE,
    .sentence = "Simple random sampling with replacement over all launches. The number is what the error needs (or "
                "a given share).",
    .stratify = srswr_stratify,
};
