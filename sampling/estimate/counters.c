/* The spread of the simulator's counters, and of the residuals top - R bottom of a rate R = sum(top) / sum(bottom)
 * of two of them, by the combined ratio estimator:
 *
 *     variance of R = sum over strata of N (N - n) / n S^2(top - R bottom)  /  (total of bottom)^2
 *
 * (Taylor; Cochran, Sampling Techniques, 1977, sections 6.10 to 6.12; Sarndal, Swensson, Wretman, Model Assisted
 * Survey Sampling, 1992, sections 5.6 and 7.3). Where top and bottom of a stratum move together at a rate near R,
 * the residuals spread little even if both counters spread widely. So the minimum of S is not a share of top or
 * bottom alone: S is at least the plan's noise floor times the mean residual, as for totals, and one fiftieth of
 * the floor times |top| + |R bottom| (common_spread.h).
 *
 * Samples of a stratum may agree by chance. So spreads are shrunk towards a pooled one, as for differences of two
 * designs (common_spread.h), with three changes:
 * - The spread is pooled over the strata of one kernel, separately for strata of like and of unlike launches
 * (stratum_unlike(): several shapes, or unequal instruction counts), relative to the planned spreads. Differences
 * are about as noisy in all strata, relative to their size. Counters are not: they follow the sizes of launches,
 * which are equal within one stratum and differ by factors within another. With one pooled spread for all strata, a
 * few strata of small kernels made the interval of tiny-gpt's instructions a cycle ten times too wide
 * (docs/design/differences-and-counters.md). With strata of equal and of unequal counts pooled together, those of
 * `matmul` whose launches have equal counts, and no spread, hid that those of the others do.
 * - A stratum with more than the common spread is not shrunk: a kernel has few strata, and a reduction in one is
 * not balanced by the others.
 * - The planned spreads are also used for the degrees of freedom (steady.h).
 *
 * In a stratum of unlike launches those of each kind are nearly equal, and kinds differ by factors. Its n samples
 * are all of one kind with probability 2 (1/2)^n if two kinds are equally frequent: 1/2 with two samples, 1/8 with
 * four, 1/16 with five. They then show no spread. So such strata with fewer than five samples, if they are the only
 * ones of their kernel, are shrunk towards a spread pooled over these strata of all kernels, relative to the
 * planned spreads. With the planned spreads themselves as the minimum, intervals of power are 37 times too wide.
 *
 * The pooled spread is too small for the stratum that differs most. append_cache of tiny-gpt has 12 launches of
 * three shapes and up to four samples; one draw in seven has none of the largest shape, which has most of the
 * resident warps of a GTX 1050. The plan knows the instructions (or times) of all 12, so such a draw shows: its
 * mean of them is not that of the stratum. The spread of these strata is at least as large as makes that error
 * likely (imbalance_sd(); balanced samples: Royall and Herson, J. American Statistical Association 68, 1973).
 *
 * Assumes: the coefficient of variation of the total of bottom is below 0.1 (Cochran, section 6.4); otherwise R is
 * biased. A launch that differs from all others of its stratum has no effect on the interval if it was not drawn.
 */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/common_spread.h"
#include "sampling/estimate/gather.h"

enum { ENOUGH_TO_DIFFER = 5 };

/* Strata with equal keys share a pooled spread. */
static size_t key_of(const struct plan *plan, const struct gathered *g, size_t h)
{
    ASSERT(h < g->count && g->strata[h].group < g->count);
    return 2 * g->strata[h].group + stratum_unlike(&plan->strata[h], plan->unit);
}

/* Strata by key: begin[key] .. begin[key + 1] of order. `begin` has 2 count + 1 entries, all 0. */
static void sort_by_key(const struct plan *plan, const struct gathered *g, size_t *begin, size_t *order)
{
    for (size_t h = 0; h < g->count; h++)
        begin[key_of(plan, g, h) + 1]++;
    for (size_t key = 0; key < 2 * g->count; key++)
        begin[key + 1] += begin[key];
    for (size_t h = g->count; h-- > 0;)
        order[--begin[key_of(plan, g, h) + 1]] = h;
    for (size_t key = 0; key < 2 * g->count; key++)
        begin[key] = begin[key + 1];
    begin[2 * g->count] = g->count;
    ASSERT(begin[0] == 0);
}

/* Makes spreads relative to the planned ones, if these are known for all strata. */
static void expect_planned(struct gathered *g)
{
    bool known = true;

    for (size_t h = 0; h < g->count; h++)
        known &= g->strata[h].planned_cv > 0 || !aux_left_to_chance(&g->strata[h]);
    for (size_t h = 0; known && h < g->count; h++)
        g->strata[h].expected_cv = g->strata[h].planned_cv;
}

static int spread_by_kernel(const struct plan *plan, struct gathered *g, struct err *e)
{
    size_t *begin = mem_zalloc(2 * g->count + 1, sizeof *begin, e);
    size_t *order = mem_zalloc(g->count, sizeof *order, e);
    struct aux_stratum *sorted = mem_zalloc(g->count, sizeof *sorted, e);
    int ret = begin && order && sorted ? gather_groups(plan, g, e) : -1;

    if (ret == 0) {
        sort_by_key(plan, g, begin, order);
        for (size_t i = 0; i < g->count; i++)
            sorted[i] = g->strata[order[i]];
        for (size_t key = 0; key < 2 * g->count; key++) {
            ASSERT(begin[key] <= begin[key + 1]);
            common_spread(&sorted[begin[key]], begin[key + 1] - begin[key], plan->params.noise_floor);
        }
        for (size_t i = 0; i < g->count; i++)
            g->strata[order[i]] = sorted[i];
    }
    free(begin);
    free(order);
    free(sorted);
    return ret;
}

/* The standard deviation of a stratum whose mean is off by its samples' imbalance. */
static double imbalance_sd(const struct aux_stratum *s)
{
    double missing = 1 / (double)s->n - (s->with_replacement ? 0 : 1 / s->population);

    return missing > 0 ? fabs(aux_imbalance(s)) / sqrt(missing) : 0;
}

/* Gives strata of unlike launches and few samples a spread in common, where their kernel has none: they are its
 * only strata, or its others show no spread. */
static int doubt_agreement(const struct plan *plan, struct gathered *g, struct err *e)
{
    struct aux_stratum *alone = mem_zalloc(g->count, sizeof *alone, e);
    size_t *of = mem_zalloc(g->count, sizeof *of, e), count = 0;
    int ret = alone && of ? 0 : -1;

    for (size_t h = 0; ret == 0 && h < g->count; h++)
        if (stratum_unlike(&plan->strata[h], plan->unit) && g->strata[h].n < ENOUGH_TO_DIFFER &&
            !(g->strata[h].common_sd > 0)) {
            of[count] = h;
            alone[count] = g->strata[h];
            alone[count++].own_factors = false;
        }
    ASSERT(count <= g->count);
    if (ret == 0)
        common_spread(alone, count, plan->params.noise_floor);
    for (size_t i = 0; ret == 0 && i < count; i++)
        g->strata[of[i]].common_sd =
            g->has_x ? fmax(alone[i].common_sd, imbalance_sd(&alone[i])) : alone[i].common_sd;
    free(alone);
    free(of);
    return ret;
}

int gather_counters(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                    struct err *e)
{
    int ret = gather(plan, values, PROJECT_AS_PLANNED, &PROJECTION_OPTIONS_DEFAULT, out, e);

    if (ret <= 0)
        return ret;
    gather_scales(plan, values, sizes, out);
    expect_planned(out);
    for (size_t h = 0; h < out->count; h++) {
        out->strata[h].keeps_excess = true;
        out->strata[h].common_noise = false;
    }
    return spread_by_kernel(plan, out, e) < 0 || doubt_agreement(plan, out, e) < 0 ? -1 : ret;
}

int gather_residuals(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                     struct err *e)
{
    int ret = gather_counters(plan, values, sizes, out, e);

    for (size_t h = 0; ret > 0 && h < out->count; h++)
        if (out->strata[h].spread == AUX_MODEL)
            out->strata[h].spread = AUX_SAMPLES; /* the model applies to totals, not to residuals */
    return ret;
}
