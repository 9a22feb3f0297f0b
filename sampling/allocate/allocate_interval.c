/* Sizes for an interval: Student's t instead of the normal quantile, a minimum of degrees of freedom, a limit on
 * the skewness of the total.
 *
 * half-width = t_df sqrt(V), V = sum N (N - n) S^2 / n, df = V^2 / sum(v_h^2 / df_h) (Satterthwaite 1946; Cochran,
 * Sampling Techniques, 1977, eq. 5.16), all from the planned S. The greedy steps do not give the exact optimum:
 * neither t nor df is convex in n. So sampling/strata/search.c tries many sets of strata. */
#include "sampling/allocate/allocate.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/quantile.h"

#define TWO_CLUSTERS (-1.4) /* excess kurtosis */
enum { BUDGET_STEPS = 40 }; /* halvings of the logarithm of V: to one part in 10^10 */

/* V, Satterthwaite's denominator and skewness, updated as units are added and removed. Degrees of freedom express
 * the variance of s^2, which is 2 S^4 (1 / (n - 1) + kurtosis / 2n). The second term lowers them for a stratum with
 * a few outliers that most samples miss.
 *
 * Skewness of t = (mean - truth) / s: in a skewed stratum the errors of the mean and of s^2 are correlated,
 * cov(mean, s^2) = (1 - f) m3 / n with f = n / N, so the interval is short when the error is large. The mean is
 * skewed too: its third moment is (1 - f) (1 - 2f) m3 / n^2. The third moment of t is the latter minus three times
 * the former. Half of its absolute value is used here: third / V^1.5 with third = sum(N^3 (1 - f) (1 - f / 2) |m3|
 * / n^2). For a single stratum that is G1 / sqrt(n) as f goes to 0, and G1 / 2 sqrt(N - n) as f goes to 1. With
 * three of 200 launches left out the total is as skewed as with twelve drawn, so a skewed stratum is taken whole
 * instead of nearly whole. Absolute values are summed, because strata have other weights on another GPU and need
 * not cancel there. V is the variance that the interval will use. */
struct doubt {
    double variance, below, seen, third;
    double steady, steady_below; /* as variance and below, computed from alloc_stratum.steady instead of S */
};

/* The term that the shape of a stratum adds to 1 / df. Heavy tails: kurtosis / 2n. Two clusters of similar size
 * (excess kurtosis near -2; a uniform distribution has -1.2): with probability 2^(1 - n) all n samples are from one
 * cluster and do not show the spread between clusters. The factor 4 leads to six samples if three degrees of
 * freedom are required. */
static double tail_doubt(const struct alloc_stratum *s, double n)
{
    ASSERT_HOT(n > 0);
    if (s->kurtosis < TWO_CLUSTERS)
        return 4 * exp2(1 - n);
    return s->kurtosis > 0 ? s->kurtosis / (2 * n) : 0;
}

static void doubt_add(struct doubt *d, const struct alloc_stratum *s, uint64_t n, double sign)
{
    double v = allocation_variance(s, n), steady, units = (double)n, population = (double)s->population;
    double left = 1 - units / population;

    if (n >= s->population)
        return;
    ASSERT_HOT(n > 0);
    d->variance += sign * v;
    d->below += sign * v * v * (1 / (n > 1 ? units - 1 : 1) + tail_doubt(s, units) * left);
    d->seen += sign * population * population * left / units * s->seen * s->seen;
    d->third += sign * population * population * population * left * (1 - units / population / 2) * fabs(s->third) /
                (units * units);
    if (!(s->steady > 0))
        return;
    steady = population * population * left / units * s->steady * s->steady;
    d->steady += sign * steady;
    d->steady_below += sign * steady * steady / (n > 1 ? units - 1 : 1);
}

static double doubt_df(const struct doubt *d)
{
    return d->variance > 0 && d->below > 0 ? d->variance * d->variance / d->below : INFINITY;
}

/* Degrees of freedom that the interval will use. */
static double interval_df(const struct doubt *d)
{
    double df = doubt_df(d);

    ASSERT_HOT(df >= 0);
    return d->steady > 0 && d->steady_below > 0 ? fmin(df, d->steady * d->steady / d->steady_below) : df;
}

static double doubt_skewness(const struct doubt *d)
{
    return d->seen > 0 ? d->third / (d->seen * sqrt(d->seen)) : 0;
}

static struct doubt doubt_of(const struct alloc_stratum *s, size_t count)
{
    struct doubt d = {0};

    for (size_t h = 0; h < count; h++)
        doubt_add(&d, &s[h], s[h].n, 1);
    return d;
}

/* s^2 is (S^2 / df) times a chi-square variable on df. Returns the ratio of the half-width's upper quantile to its
 * expected value. */
static double luck(double df, const struct alloc_goal *goal)
{
    double spread = 2 / (9 * df), root;

    ASSERT_HOT(df > 0);
    if (!goal->assured || goal->known || isinf(df))
        return 1;
    root = 1 - spread + goal->luck * sqrt(spread);
    return root > 0 ? root * sqrt(root) : 0;
}

/* Fast approximation of the half-width, for comparisons in searches. */
static double quick_half_width(double variance, double df, double z, const struct alloc_goal *goal)
{
    if (!(variance > 0))
        return 0;
    return (goal->known ? z : t_factor_quick(z, df)) * luck(df, goal) * sqrt(variance);
}

static double exact_half_width(const struct doubt *d, const struct alloc_goal *goal)
{
    double df = interval_df(d);

    if (!(d->variance > 0))
        return 0;
    return t_factor(goal->level, goal->known ? INFINITY : df) * luck(df, goal) * sqrt(d->variance);
}

static bool enough_df(const struct doubt *d, const struct alloc_goal *goal)
{
    return goal->known || d->variance <= 0 || doubt_df(d) >= goal->least_df;
}

static bool even_enough(const struct doubt *d, const struct alloc_goal *goal)
{
    return goal->known || goal->most_skewness <= 0 || doubt_skewness(d) <= goal->most_skewness;
}

static bool goal_met(const struct doubt *d, const struct alloc_goal *goal)
{
    return enough_df(d, goal) && even_enough(d, goal) && exact_half_width(d, goal) <= goal->half_width;
}

/* The quantity that more units shall reduce. */
enum aim { AIM_HALF_WIDTH, AIM_SKEWNESS };

struct pick {
    size_t best;    /* stratum with the largest gain per cost; count: no unit gives a gain */
    bool whole;     /* the gain of taking the whole stratum instead of one more unit */
    size_t largest; /* stratum with the largest variance of those that can grow */
};

static double aim_at(enum aim aim, const struct doubt *d, double z, const struct alloc_goal *goal)
{
    return aim == AIM_SKEWNESS ? doubt_skewness(d) : quick_half_width(d->variance, interval_df(d), z, goal);
}

/* The gain per cost of raising a stratum to n units. */
static double gain_of(const struct alloc_stratum *s, uint64_t n, const struct doubt *d, double now, double z,
                      const struct alloc_goal *goal, enum aim aim)
{
    struct doubt next = *d;

    ASSERT_HOT(n > s->n && n <= s->population && s->cost > 0);
    doubt_add(&next, s, s->n, -1);
    doubt_add(&next, s, n, 1);
    return (now - aim_at(aim, &next, z, goal)) / (s->cost * (double)(n - s->n));
}

/* Chooses the stratum that gets the next unit, of those whose unit costs at most `purse`. Skewness increases again
 * for a stratum that is nearly taken whole, so for skewness the option of taking all the rest is compared too. */
static struct pick best_unit(const struct alloc_stratum *s, size_t count, const struct doubt *d, double z,
                             const struct alloc_goal *goal, enum aim aim, double purse)
{
    double now = aim_at(aim, d, z, goal), best = 0, most = -1;
    struct pick pick = {count, false, count};

    for (size_t h = 0; h < count; h++) {
        double gain;

        if (s[h].n >= s[h].population || s[h].cost > purse)
            continue;
        gain = gain_of(&s[h], s[h].n + 1, d, now, z, goal, aim);
        if (gain > best) {
            best = gain;
            pick = (struct pick){h, false, pick.largest};
        }
        gain = aim == AIM_SKEWNESS ? gain_of(&s[h], s[h].population, d, now, z, goal, aim) : 0;
        if (gain > best) {
            best = gain;
            pick = (struct pick){h, true, pick.largest};
        }
        if (allocation_variance(&s[h], s[h].n) > most) {
            most = allocation_variance(&s[h], s[h].n);
            pick.largest = h;
        }
    }
    return pick;
}

static void raise(struct alloc_stratum *s, uint64_t n, struct doubt *d)
{
    ASSERT(n > s->n && n <= s->population);
    doubt_add(d, s, s->n, -1);
    s->n = n;
    doubt_add(d, s, s->n, 1);
}

/* Sorts strata by cost, highest first. */
static int cost_compare(const void *a, const void *b)
{
    const struct alloc_stratum *x = *(const struct alloc_stratum *const *)a,
                               *y = *(const struct alloc_stratum *const *)b;

    if (x->cost != y->cost)
        return x->cost > y->cost ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Removes units that the goal does not need (an effect of rounding), the most expensive first. */
static int drop_spare(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal, struct err *e)
{
    struct alloc_stratum **order = mem_zalloc(count, sizeof(struct alloc_stratum *), e);
    struct doubt d = doubt_of(s, count);

    if (!order)
        return -1;
    for (size_t h = 0; h < count; h++)
        order[h] = &s[h];
    qsort(order, count, sizeof(struct alloc_stratum *), cost_compare);
    for (size_t i = 0; i < count; i++) {
        struct alloc_stratum *h = order[i];

        while (h->n > h->least) {
            struct doubt next = d;

            doubt_add(&next, h, h->n, -1);
            doubt_add(&next, h, h->n - 1, 1);
            if (!goal_met(&next, goal))
                break;
            h->n--;
            d = next;
        }
    }
    free(order);
    return 0;
}

/* Adds units until the goal is met. If no unit lowers the half-width (only degrees of freedom are missing), the
 * stratum with the largest variance gets the unit. */
static void grow_to_goal(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal, double z)
{
    struct doubt d = doubt_of(s, count);

    for (unsigned step = 1; !goal_met(&d, goal); step++) {
        bool wide = !enough_df(&d, goal) || exact_half_width(&d, goal) > goal->half_width;
        struct pick h = best_unit(s, count, &d, z, goal, wide ? AIM_HALF_WIDTH : AIM_SKEWNESS, INFINITY);
        size_t grown = h.best < count ? h.best : h.largest;

        if (grown == count)
            break;
        raise(&s[grown], h.whole ? s[grown].population : s[grown].n + 1, &d);
        if (step % 64 == 0)
            d = doubt_of(s, count); /* recompute from time to time: updates accumulate rounding errors */
    }
}

static double cost_of(const struct alloc_stratum *s, size_t count)
{
    double cost = 0;

    for (size_t h = 0; h < count; h++)
        cost += s[h].cost * (double)s[h].n;
    return cost;
}

/* Bisection for the least V whose rounded-down sizes fit the budget; the rest of the budget is spent on single
 * units. */
static int grow_to_budget(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal, double z,
                          struct err *e)
{
    double high = 0, low, left;
    struct doubt d;

    ASSERT(goal->budget > 0);
    for (size_t h = 0; h < count; h++) {
        s[h].n = s[h].least;
        high += allocation_variance(&s[h], s[h].n);
    }
    low = high * 1e-12;
    for (int i = 0; i < BUDGET_STEPS && high > 0; i++) {
        double middle = sqrt(low * high);

        if (allocate_floor(s, count, middle, e) < 0)
            return -1;
        if (cost_of(s, count) <= goal->budget)
            high = middle;
        else
            low = middle;
    }
    if (allocate_floor(s, count, high, e) < 0)
        return -1;
    d = doubt_of(s, count);
    for (left = goal->budget - cost_of(s, count); left > 0;) {
        struct pick h = best_unit(s, count, &d, z, goal, AIM_HALF_WIDTH, left);

        if (h.best == count)
            break;
        left -= s[h.best].cost;
        raise(&s[h.best], s[h.best].n + 1, &d);
    }
    return 0;
}

static struct alloc_outcome outcome_of(const struct alloc_stratum *s, size_t count, const struct alloc_goal *goal)
{
    struct doubt d = doubt_of(s, count);
    struct alloc_outcome o = {.variance = d.variance,
                              .df = doubt_df(&d),
                              .skewness = doubt_skewness(&d),
                              .half_width = exact_half_width(&d, goal),
                              .cost = cost_of(s, count)};

    for (size_t h = 0; h < count; h++) {
        ASSERT(s[h].n <= s[h].population);
        o.units += s[h].n;
    }
    o.met = goal->budget > 0 ? o.cost <= goal->budget * (1 + 1e-12) : goal_met(&d, goal);
    ASSERT(o.variance >= 0 && o.cost >= 0);
    return o;
}

int allocate_interval(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal,
                      struct alloc_outcome *out, struct err *e)
{
    double z = normal_quantile(0.5 + goal->level / 2), v0 = goal->half_width / z;

    ASSERT(goal->level > 0 && goal->level < 1);
    if (goal->budget > 0) {
        if (grow_to_budget(s, count, goal, z, e) < 0)
            return -1;
    } else {
        if (allocate_variance(s, count, v0 * v0, e) < 0)
            return -1;
        grow_to_goal(s, count, goal, z);
        if (drop_spare(s, count, goal, e) < 0)
            return -1;
    }
    *out = outcome_of(s, count, goal);
    ASSERT(!(out->half_width < 0) && !(out->df < 0));
    return 0;
}

struct alloc_outcome allocation_outcome(const struct alloc_stratum *s, size_t count, double level)
{
    struct alloc_goal goal = {.half_width = INFINITY, .level = level};

    ASSERT(level > 0 && level < 1);
    return outcome_of(s, count, &goal);
}
