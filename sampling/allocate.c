#include "sampling/allocate.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/quantile.h"

/* N S: the weight of a stratum's spread in the total. */
static double spread(const struct alloc_stratum *s)
{
    return (double)s->population * s->sd;
}

/* --- the real-valued optimum: n(m) = clip(m N S / sqrt(cost)), and the variance falls monotonely in m --- */

struct breakpoint {
    double at; /* the multiplier at which the stratum leaves its floor, or reaches its ceiling */
    size_t stratum;
    bool ceiling;
};

static int breakpoint_compare(const void *a, const void *b)
{
    const struct breakpoint *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    return (int)x->ceiling - (int)y->ceiling;
}

/* sum(N^2 S^2 / n) = fixed + active / m on each segment; returns the multiplier that meets the bound, or infinity.
 */
static double find_multiplier(const struct alloc_stratum *s, struct breakpoint *breaks, size_t count, double fixed,
                              double bound)
{
    double active = 0, slack = 1e-12 * fixed;

    qsort(breaks, count, sizeof *breaks, breakpoint_compare);
    if (fixed <= bound)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const struct alloc_stratum *h = &s[breaks[i].stratum];
        double b = spread(h) * spread(h), a = spread(h) * sqrt(h->cost);

        if (breaks[i].ceiling) {
            active -= a;
            fixed += b / (double)h->population;
        } else {
            active += a;
            fixed -= b / (double)h->least;
        }
        active = active > 0 ? active : 0;
        if (fixed < bound && i + 1 < count && active / (bound - fixed) <= breaks[i + 1].at)
            return active / (bound - fixed);
    }
    return fixed <= bound + slack ? breaks[count - 1].at : INFINITY;
}

int allocate_real(const struct alloc_stratum *s, size_t count, double bound, double *n, struct err *e)
{
    struct breakpoint *breaks = mem_zalloc(2 * count, sizeof *breaks, e);
    double fixed = 0, m;
    size_t used = 0;

    if (!breaks)
        return -1;
    for (size_t h = 0; h < count; h++) {
        double per_m = spread(&s[h]) / sqrt(s[h].cost);

        n[h] = (double)s[h].least;
        if (spread(&s[h]) <= 0)
            continue;
        fixed += spread(&s[h]) * spread(&s[h]) / (double)s[h].least;
        breaks[used++] = (struct breakpoint){(double)s[h].least / per_m, h, false};
        breaks[used++] = (struct breakpoint){(double)s[h].population / per_m, h, true};
    }
    m = used ? find_multiplier(s, breaks, used, fixed, bound) : 0;
    free(breaks);
    for (size_t h = 0; h < count; h++) {
        if (spread(&s[h]) > 0)
            n[h] = fmin(fmax(m * spread(&s[h]) / sqrt(s[h].cost), (double)s[h].least), (double)s[h].population);
        else if (isinf(m))
            n[h] = (double)s[h].population;
    }
    return isinf(m) ? 0 : 1;
}

/* --- whole numbers --- */

static double variance_of(const struct alloc_stratum *s, uint64_t n)
{
    double population = (double)s->population;

    return n >= s->population ? 0 : population * (population - (double)n) / (double)n * s->sd * s->sd;
}

/* What one more unit takes from the variance, per cost; units beyond N do not exist. */
static double priority(const struct alloc_stratum *s)
{
    return s->n >= s->population ? -1 : (variance_of(s, s->n) - variance_of(s, s->n + 1)) / s->cost;
}

struct heap_entry {
    double priority;
    size_t stratum;
};

static bool heap_above(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->priority > b->priority || (a->priority == b->priority && a->stratum < b->stratum);
}

static void heap_sink(struct heap_entry *heap, size_t count, size_t at)
{
    for (;;) {
        size_t best = at, left = 2 * at + 1;
        struct heap_entry swap;

        if (left < count && heap_above(&heap[left], &heap[best]))
            best = left;
        if (left + 1 < count && heap_above(&heap[left + 1], &heap[best]))
            best = left + 1;
        if (best == at)
            return;
        swap = heap[at];
        heap[at] = heap[best];
        heap[best] = swap;
        at = best;
    }
}

/* Adds units by priority until the variance is at most v0, or `units` are given out in all. */
static int add_units(struct alloc_stratum *s, size_t count, double v0, uint64_t units, struct err *e)
{
    struct heap_entry *heap = mem_zalloc(count, sizeof *heap, e);
    double variance = 0;
    uint64_t used = 0;

    if (!heap)
        return -1;
    for (size_t h = 0; h < count; h++) {
        variance += variance_of(&s[h], s[h].n);
        used += s[h].n;
        heap[h] = (struct heap_entry){priority(&s[h]), h};
    }
    for (size_t i = count / 2; i-- > 0;)
        heap_sink(heap, count, i);
    while (count && variance > v0 && used < units && heap[0].priority >= 0) {
        struct alloc_stratum *h = &s[heap[0].stratum];

        variance -= variance_of(h, h->n) - variance_of(h, h->n + 1);
        h->n++;
        used++;
        heap[0].priority = priority(h);
        heap_sink(heap, count, 0);
    }
    free(heap);
    return 0;
}

int allocate_units(struct alloc_stratum *s, size_t count, uint64_t units, struct err *e)
{
    for (size_t h = 0; h < count; h++)
        s[h].n = s[h].least;
    return add_units(s, count, -1, units, e);
}

int allocate_variance(struct alloc_stratum *s, size_t count, double v0, struct err *e)
{
    double *n = mem_zalloc(count, sizeof *n, e), bound = v0;
    int ret = -1;

    if (!n)
        return -1;
    for (size_t h = 0; h < count; h++)
        bound += (double)s[h].population * s[h].sd * s[h].sd;
    if (allocate_real(s, count, bound, n, e) < 0)
        goto out;
    for (size_t h = 0; h < count; h++) {
        s[h].n = (uint64_t)n[h];
        s[h].n = s[h].n < s[h].least ? s[h].least : s[h].n;
    }
    ret = add_units(s, count, v0, UINT64_MAX, e);
out:
    free(n);
    return ret;
}

/* --- t instead of z --- */

/* V and the sum below Satterthwaite's bar, kept up to date while units come and go. The variance of s^2 is
 * 2 S^4 (1 / (n - 1) + kurtosis / 2n), and that is what degrees of freedom stand for; with the second term a
 * stratum with a few outliers, that most samples miss, does not pass for a well-known one. */
struct doubt {
    double variance, below;
};

static void doubt_add(struct doubt *d, const struct alloc_stratum *s, uint64_t n, double sign)
{
    double v = variance_of(s, n), units = (double)n, left = 1 - units / (double)s->population;

    d->variance += sign * v;
    if (v > 0)
        d->below += sign * v * v * (1 / (n > 1 ? units - 1 : 1) + s->kurtosis * left / (2 * units));
}

static double doubt_df(const struct doubt *d)
{
    return d->variance > 0 && d->below > 0 ? d->variance * d->variance / d->below : INFINITY;
}

static struct doubt doubt_of(const struct alloc_stratum *s, size_t count)
{
    struct doubt d = {0};

    for (size_t h = 0; h < count; h++)
        doubt_add(&d, &s[h], s[h].n, 1);
    return d;
}

static double doubt_half_width(const struct doubt *d, double z)
{
    return d->variance > 0 ? t_factor_quick(z, doubt_df(d)) * sqrt(d->variance) : 0;
}

static bool goal_met(const struct doubt *d, const struct alloc_goal *goal)
{
    if (d->variance <= 0)
        return true;
    return doubt_df(d) >= goal->least_df &&
           t_factor(goal->level, doubt_df(d)) * sqrt(d->variance) <= goal->half_width;
}

/* The unit that buys most half-width for its cost. Where none does (only df is missing, and more samples in a small
 * stratum would lower it) the largest variance is split up. */
static size_t best_unit(const struct alloc_stratum *s, size_t count, const struct doubt *d, double z)
{
    double now = doubt_half_width(d, z), best = 0, most = -1;
    size_t pick = count, largest = count;

    for (size_t h = 0; h < count; h++) {
        struct doubt next = *d;
        double gain;

        if (s[h].n >= s[h].population)
            continue;
        doubt_add(&next, &s[h], s[h].n, -1);
        doubt_add(&next, &s[h], s[h].n + 1, 1);
        gain = (now - doubt_half_width(&next, z)) / s[h].cost;
        if (gain > best) {
            best = gain;
            pick = h;
        }
        if (variance_of(&s[h], s[h].n) > most) {
            most = variance_of(&s[h], s[h].n);
            largest = h;
        }
    }
    return pick < count ? pick : largest;
}

/* Rounding leaves units that the goal does not need: the costliest go first. */
static int drop_spare(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal, struct err *e)
{
    struct heap_entry *heap = mem_zalloc(count, sizeof *heap, e);
    struct doubt d = doubt_of(s, count);

    if (!heap)
        return -1;
    for (size_t h = 0; h < count; h++)
        heap[h] = (struct heap_entry){s[h].cost, h};
    for (size_t i = count / 2; i-- > 0;)
        heap_sink(heap, count, i);
    for (size_t left = count; left > 0; left--) {
        struct alloc_stratum *h = &s[heap[0].stratum];

        while (h->n > h->least) {
            struct doubt next = d;

            doubt_add(&next, h, h->n, -1);
            doubt_add(&next, h, h->n - 1, 1);
            if (!goal_met(&next, goal))
                break;
            h->n--;
            d = next;
        }
        heap[0] = heap[left - 1];
        heap_sink(heap, left - 1, 0);
    }
    free(heap);
    return 0;
}

int allocate_interval(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal,
                      struct alloc_outcome *out, struct err *e)
{
    double z = normal_quantile(0.5 + goal->level / 2), v0 = goal->half_width / z;
    struct doubt d;

    if (allocate_variance(s, count, v0 * v0, e) < 0)
        return -1;
    d = doubt_of(s, count);
    for (unsigned step = 1; !goal_met(&d, goal); step++) {
        size_t h = best_unit(s, count, &d, z);

        if (h == count)
            break;
        doubt_add(&d, &s[h], s[h].n, -1);
        s[h].n++;
        doubt_add(&d, &s[h], s[h].n, 1);
        if (step % 64 == 0)
            d = doubt_of(s, count); /* differences of differences: start afresh now and then */
    }
    if (drop_spare(s, count, goal, e) < 0)
        return -1;
    *out = allocation_outcome(s, count, goal->level);
    return 0;
}

struct alloc_outcome allocation_outcome(const struct alloc_stratum *s, size_t count, double level)
{
    struct doubt d = doubt_of(s, count);
    struct alloc_outcome o = {.variance = d.variance, .df = doubt_df(&d)};

    o.half_width = d.variance > 0 ? t_factor(level, o.df) * sqrt(d.variance) : 0;
    for (size_t h = 0; h < count; h++) {
        o.cost += s[h].cost * (double)s[h].n;
        o.units += s[h].n;
    }
    return o;
}
