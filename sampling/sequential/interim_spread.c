/* The state of each promise at an analysis: strata, interval, level, and whether it is kept; rule, sources and
 * assumptions: interim.h, alpha_spending.h, interim_size.h.
 *
 * Information of an analysis: (wanted / half-width used, at the rule's confidence)^2 / ALLOWANCE; at 1 the whole
 * level is spent. A promise counts as kept if it is met at this analysis's own level, independent of earlier
 * analyses. Its level is spent only if that ends the run. While another promise is not kept, further analyses
 * follow, and a promise that had spent its level would have a wider interval at each of them.
 *
 * A run that stops as soon as its interval is narrow tends to stop when the observed spread is low by chance. Its
 * coverage is then below the nominal level (Woodroofe, Annals of Statistics 5, 1977), most of all in skewed strata,
 * whose mean and spread are low together. So a half-width is never less than the pooled spreads give. These are the
 * profile's spreads, scaled by all strata together, so one stratum's chance variation has little effect. For a
 * widened interval, level and bound are recomputed so that the observed spread alone gives the same half-width.
 *
 * In addition, the observed variance is multiplied by 1 + UNDERSHOOT / degrees of freedom. Woodroofe's constant for
 * normal values is 1.183; strata of launches are skewed. On single kernels of CASIO the coverage is 93.7 to 94.1 %
 * with 1.183, and 94.0 to 95.2 % with 1.8 (docs/design/stopping-rule.md).
 *
 * If values are skewed, as with a second behaviour of some launches, mean and spread are low together. With the
 * observed skewness G of the total, that costs twice. Student's t covers less, which a half-width longer by
 * G^2 (z^4 + 2 z^2 - 3) / 18 restores, 1.08 G^2 at 95 % (Hall, The Bootstrap and Edgeworth Expansion, 1992,
 * section 2.6). Stopping at a low spread makes the total too low by G standard errors (by Wald's identity, with the
 * covariance of mean and variance), which half of G^2 restores. So the factor on the variance also has SKEWED G^2.
 */
#include "sampling/sequential/interim_internal.h"

#include <math.h>

#include "base/assert.h"
#include "sampling/estimate/gather.h"
#include "sampling/sequential/interim_size.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/search.h"
#include "sampling/estimate/steady.h"

#define ALLOWANCE       1.03 /* information beyond what a single analysis would need */
#define SPEND_MIN       0.02 /* least share of the level spent at each analysis */
#define INFORMATION_MIN 1e-6
#define UNDERSHOOT      1.8  /* degrees of freedom that stopping at the first narrow interval costs; see above */
#define SKEWED          3.2  /* 2 (1.08 + 0.5); see above */
#define LARGEST_BOUND   6.0  /* of a widened interval */
#define WITHIN_MARGIN   1.15 /* approximate maximum of an analysis's factor / the factor at the rule's confidence */
#define ROOM_MIN        0.1

/* Residuals of a design's results around its ratio to the baseline, by pairs. */
static int gather_ratio(const struct interim_work *x, struct interim_promise *p, struct gathered *g, double *unit,
                        struct err *e)
{
    const double *y = x->y[p->design], *base = x->y[x->rule->baseline];
    struct projected ratio, below;

    if (projected_ratio(x->plan, y, base, 1 - x->level, &ratio, e) < 0)
        return -1;
    for (size_t i = 0; i < x->plan->sample_count; i++)
        x->values[i] = isnan(y[i]) ? NAN : base[i];
    if (projected_total(x->plan, x->values, 1 - x->level, &below, e) < 0)
        return -1;
    p->value = ratio.value;
    ASSERT(x->rule->baseline < x->designs && p->design < x->designs);
    *unit = fabs(below.value);
    gather_pairs(x->plan, base, y, isnan(ratio.value) ? 0 : ratio.value, x->values, x->sizes);
    return gather_differences(x->plan, x->values, x->sizes, g, e);
}

/* The strata of a promise; *unit: what its half-widths are divided by. */
static int gather_promise(const struct interim_work *x, struct interim_promise *p, struct gathered *g, double *unit,
                          struct err *e)
{
    struct projection_options options = {.estimator = x->rule->estimator};
    int ret;

    if (p->difference)
        return gather_ratio(x, p, g, unit, e);
    *unit = 1;
    ret = gather(x->plan, x->y[p->design], x->rule->estimator, &options, g, e);
    if (ret == 0)
        err_set(e, ERR_INVALID, "the estimator %s needs profiled times, or a factor fixed beforehand",
                projection_estimator_name(x->rule->estimator));
    return ret > 0 ? 0 : -1;
}

/* The significance level of a promise: intervals of differences to one baseline are simultaneous, as in
 * sampling/estimate/comparisons.h. */
static double level_of(const struct interim_work *x, size_t promise)
{
    ASSERT(promise < x->out->promise_count);
    return x->out->promises[promise].difference ? x->level / (double)(x->designs - 1) : x->level;
}

/* Restores the state of earlier analyses from the caller's records. */
static void interim_spread_recall(const struct interim_work *x, size_t promise)
{
    struct stock *stock = &x->stock[promise];

    ASSERT(x->out->number <= 1 || x->past);
    for (size_t k = 0; k + 1 < x->out->number; k++) {
        const struct interim_spent *s = &x->past[k * x->out->promise_count + promise];

        if (!(s->information > 0)) /* that analysis did not evaluate this promise */
            continue;
        alpha_spending_add(&stock->before, &(struct alpha_spending_analysis){s->information, s->bound});
        stock->spent = fmax(stock->spent, s->spent);
    }
}

/* The cumulative level that may be spent by the end of analysis `number`, at this information. */
static double allowed(const struct interim_work *x, size_t promise, unsigned number, double information,
                      double spent)
{
    double level = level_of(x, promise);

    ASSERT(level > 0 && level < 1);
    return number >= x->analyses ? level
                                 : fmin(fmax(spending(level, information), spent + SPEND_MIN * level), level);
}

double interim_next_level(const struct interim_work *x, size_t promise)
{
    double z = normal_quantile(1 - level_of(x, promise) / 2), bound = z;
    const struct interim_spent *now = &x->out->promises[promise].spent;
    struct alpha_spending_past before = x->stock[promise].before;

    alpha_spending_add(&before, &(struct alpha_spending_analysis){now->information, now->bound});
    for (int round = 0; round < 3; round++) {
        double information = bound * bound / (z * z) / ALLOWANCE;

        bound = alpha_spending_bound(&before, information,
                                     allowed(x, promise, x->out->number + 1, information, now->spent) - now->spent);
    }
    return 1 - 2 * normal_probability(-bound);
}

/* Widens the interval by the factor `wider` over that of the observed spread, and sets its level from the widened
 * bound. Callers that repeat the analysis compute the level from the bound too, so both are bit-identical. */
static void interim_spread_widen(struct interim_promise *p, const struct aux_estimate *a, double wider)
{
    double level = t_level(t_factor(p->level, a->df) * wider, a->df);

    ASSERT(wider > 1);
    p->half_width *= wider;
    p->spent.bound = fmin(-normal_quantile((1 - level) / 2), LARGEST_BOUND);
    p->level = 1 - 2 * normal_probability(-p->spent.bound);
}

/* Computes the interval of this analysis for a cumulative spent level of `spent`. */
static void look_with(const struct interim_work *x, size_t index, double spent)
{
    struct interim_promise *p = &x->out->promises[index];
    const struct stock *stock = &x->stock[index];
    const struct aux_estimate *a = &stock->seen;

    ASSERT(spent > 0 && spent < 1);
    p->spent.spent = spent;
    p->spent.bound = alpha_spending_bound(&stock->before, p->spent.information, spent - stock->spent);
    p->level = 1 - 2 * normal_probability(-p->spent.bound);
    p->half_width = aux_half_width(a, p->level) / stock->unit;
    if (stock->cautious > 1)
        interim_spread_widen(p, a, stock->cautious);
    p->half_width += normal_quantile((1 + p->level) / 2) * stock->within / stock->unit;
    ASSERT(p->level > 0 && p->level < 1 && !(p->half_width < 0));
    p->kept = p->half_width <= p->wanted && (p->trusted || !(a->variance > 0));
}

/* Minimum factor on the observed variance. If strata spread as planned, the profile confirms the variance and the
 * factor is 1. It rises with the excess over the planned variance, to its maximum at twice that variance. */
static double least_caution(double excess, double df, double skewness2)
{
    return 1 + fmin(fmax(excess - 1, 0), 1) * (UNDERSHOOT / df + SKEWED * skewness2);
}

/* Square of the skewness of the total, sum (N (N - n) / n)^1.5 n^-0.5 k3 / V^1.5, with the strata's unbiased third
 * moments k3. Normal values have a k3^2 of 6 n S^6 / ((n - 1) (n - 2)) on average (Kendall and Stuart, The Advanced
 * Theory of Statistics 1, 1963, ch. 12), which is subtracted. */
static double observed_skewness2(const struct gathered *g, double variance)
{
    double third = 0, chance = 0;

    for (size_t h = 0; h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];
        double n = (double)s->n, b = g->slopes ? g->slopes[h].b : 0, mean = 0, m2 = 0, m3 = 0, weight;

        if (s->n < 3 || !aux_left_to_chance(s))
            continue;
        for (size_t i = 0; i < s->n; i++)
            mean += (s->y[i] - (b != 0 ? b * s->x[i] : 0)) / n;
        for (size_t i = 0; i < s->n; i++) {
            double r = s->y[i] - (b != 0 ? b * s->x[i] : 0) - mean;

            m2 += r * r / (n - 1);
            m3 += r * r * r * n / ((n - 1) * (n - 2));
        }
        weight = pow(s->population * fmax(s->population - n, 0) / n, 1.5) / sqrt(n);
        third += weight * m3;
        chance += weight * weight * 6 * m2 * m2 * m2 * n / ((n - 1) * (n - 2));
    }
    return variance > 0 ? fmax(third * third - chance, 0) / (variance * variance * variance) : 0;
}

static void spend_min(const struct interim_work *x, size_t index)
{
    look_with(x, index, allowed(x, index, x->out->number, 0, x->stock[index].spent));
}

void interim_wait(struct interim_work *x, size_t index)
{
    spend_min(x, index);
    x->out->promises[index].kept = false;
    x->out->promises[index].waits = true;
}

/* The share of the half-width that remains after errors inside launches. */
static double room_for_spread(const struct interim_work *x, size_t index)
{
    const struct stock *stock = &x->stock[index];
    double z = WITHIN_MARGIN * normal_quantile(1 - level_of(x, index) / 2);
    double taken = z * stock->within / stock->unit / x->out->promises[index].wanted;

    return stock->within > 0 ? fmax(1 - taken, ROOM_MIN) : 1;
}

/* If the promise is not kept even with the whole allowed level, it cannot stop the run, and only the least level is
 * spent. */
static void interim_spread_judge(const struct interim_work *x, size_t index)
{
    struct interim_promise *p = &x->out->promises[index];
    struct stock *stock = &x->stock[index];
    const struct aux_estimate *a = &stock->seen;
    struct alloc_outcome planned = allocation_outcome(stock->s, x->plan->stratum_count, 1 - x->level);
    double information;

    p->df = a->df;
    p->once = aux_half_width(a, 1 - level_of(x, index)) / stock->unit;
    stock->cautious = a->variance > 0 ? sqrt(fmax(least_caution(stock->pooled.excess, a->df, stock->skewness2),
                                                  planned.variance / a->variance))
                                      : 1;
    stock->room = room_for_spread(x, index);
    stock->now = stock->cautious * p->once / (p->wanted * stock->room);
    p->once += normal_quantile(1 - level_of(x, index) / 2) * stock->within / stock->unit;
    information = stock->now > 0 ? 1 / (stock->now * stock->now) / ALLOWANCE : isnan(stock->now) ? 0 : 1;
    ASSERT(!(stock->cautious < 1) && stock->room > 0 && stock->room <= 1);
    p->planned_df = planned.df;
    p->skewness = planned.skewness;
    p->effective = effective_samples(stock->s, stock->even, x->plan->stratum_count);
    p->noise_df = noise_df(stock->s, stock->even, x->plan->stratum_count);
    p->trusted = p->effective >= EFFECTIVE_MIN * (1 - 1e-9) && p->noise_df >= NOISE_DF_MIN * (1 - 1e-9) &&
                 planned.df >= interim_min_df(x->plan) && planned.skewness <= SEARCH_MOST_SKEWNESS;
    p->spent.information = fmax(information, INFORMATION_MIN);
    interim_spread_recall(x, index);
    look_with(x, index, allowed(x, index, x->out->number, p->spent.information, stock->spent));
    if (!p->kept && x->out->number < x->analyses)
        spend_min(x, index);
}

int interim_stock(struct interim_work *x, size_t index, struct err *e)
{
    struct interim_promise *p = &x->out->promises[index];
    struct stock *stock = &x->stock[index];
    struct gathered g;

    if (gather_promise(x, p, &g, &stock->unit, e) < 0)
        return -1;
    if (pooled_strata(x->plan, &g, x->shapes, x->costs, stock->s, stock->even, &stock->pooled, e) < 0) {
        gathered_release(&g);
        return -1;
    }
    steady_spreads(g.strata, g.slopes, g.count, stock->steady);
    for (size_t h = 0; h < g.count; h++) {
        ASSERT(g.strata[h].n <= x->plan->strata[h].samples);
        stock->dead[h] = x->plan->strata[h].samples - g.strata[h].n;
    }
    stock->seen = g.blank ? (struct aux_estimate){NAN, NAN, NAN} : aux_total(g.strata, g.slopes, g.count);
    if (!p->difference)
        p->value = stock->seen.value;
    stock->skewness2 = g.blank ? 0 : observed_skewness2(&g, stock->seen.variance);
    stock->within = x->rule->within && !p->difference ? x->rule->within[p->design] : 0;
    ASSERT(!(stock->skewness2 < 0) && !(stock->within < 0));
    p->wanted = p->difference ? x->rule->resolve : x->rule->error * fabs(stock->seen.value);
    interim_spread_judge(x, index);
    gathered_release(&g);
    return 0;
}
