/* The effect of unknown cache states; the rule: cache_bounds.h. */
#include "sampling/checks/cache_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/across.h"
#include "sampling/estimate/within_launch.h"

enum { LEAST, MOST };

void cache_ends_release(struct cache_ends *x)
{
    free(x->of[LEAST]);
    free(x->of[MOST]);
}

static void find_facts(const struct bounded_values *v, size_t n, struct cache_ends *out)
{
    for (size_t i = 0; i < n; i++) {
        out->bounded |= v->empty[i] < v->warm[i] || v->warm[i] < v->empty[i];
        out->unknown |= !isnan(v->empty[i]) && isnan(v->warm[i]);
    }
}

int cache_ends_make(const struct bounded_values *v, size_t n, struct cache_ends *out, struct err *e)
{
    *out = (struct cache_ends){.of = {mem_zalloc(n + 1, sizeof(double), e), mem_zalloc(n + 1, sizeof(double), e)},
                               .error = v->error};
    if (!out->of[LEAST] || !out->of[MOST])
        return -1;
    for (size_t i = 0; i < n; i++) {
        out->of[LEAST][i] = isnan(v->empty[i]) ? NAN : fmin(v->empty[i], v->warm[i]);
        out->of[MOST][i] = isnan(v->empty[i]) ? NAN : fmax(v->empty[i], v->warm[i]);
        ASSERT(!(out->of[LEAST][i] > out->of[MOST][i]));
    }
    find_facts(v, n, out);
    return 0;
}

/* --- totals --- */

int warm_bound_make(const struct plan *plan, const struct bounded_values *v, const struct projection_options *o,
                    const struct projection *empty, struct warm_bound *out, struct err *e)
{
    struct projection_options alone = *o;
    struct cache_ends facts = {.bounded = false};
    struct projection p;

    *out = (struct warm_bound){NAN, NAN, NAN, NAN};
    find_facts(v, plan->sample_count, &facts);
    if (facts.unknown)
        return 0;
    alone.alone = true;
    if (projection_make_with(plan, v->warm, &alone, &p, e) < 0)
        return -1;
    *out = (struct warm_bound){p.value, p.half_width, NAN, NAN};
    if (!isnan(p.half_width) && !isnan(empty->half_width)) {
        out->low = fmin(p.value - p.half_width, empty->value - empty->half_width);
        out->high = fmax(p.value + p.half_width, empty->value + empty->half_width);
        ASSERT(out->low <= out->high);
    }
    projection_release(&p);
    return 1;
}

/* --- differences --- */

/* Whether a difference with other bounds is distinguishable and has the same sign. */
static bool same_sign(bool real, double difference, double of)
{
    return real && (difference > 0) == (of > 0);
}

static void reverse(bool *distinguishable, bool *reversible)
{
    *reversible |= *distinguishable;
    *distinguishable = false;
}

static void hold_against(struct comparison *c, const struct comparison *other)
{
    if (!same_sign(other->distinguishable, other->difference, c->difference))
        reverse(&c->distinguishable, &c->cache_reversible);
}

static int check_cache_bounds(const struct plan *plan, const struct cache_ends *a, const struct cache_ends *b,
                              struct comparison *c, struct err *e)
{
    struct comparison one;

    if (a->unknown || b->unknown)
        reverse(&c->distinguishable, &c->cache_reversible);
    for (int i = 0; (a->bounded || b->bounded) && i < CACHE_ENDS * CACHE_ENDS && c->distinguishable; i++) {
        const double *const y[] = {a->of[i / CACHE_ENDS], b->of[i % CACHE_ENDS]}, *const errors[] = {a->error,
                                                                                                     b->error};

        if (comparison_make(plan, y[0], y[1], c->level, &one, e) < 0 ||
            within_launch_compare(plan, y, errors, &one, e) < 0)
            return -1;
        hold_against(c, &one);
    }
    return 0;
}

int cache_bounds_check(const struct plan *plan, const struct bounded_values *a, const struct bounded_values *b,
                       struct comparison *c, struct err *e)
{
    struct cache_ends x = {.bounded = false}, y = {.bounded = false};
    int ret = -1;

    if (cache_ends_make(a, plan->sample_count, &x, e) == 0 && cache_ends_make(b, plan->sample_count, &y, e) == 0)
        ret = check_cache_bounds(plan, &x, &y, c, e);
    cache_ends_release(&x);
    cache_ends_release(&y);
    return ret;
}

/* --- several designs --- */

static void reverse_kernels(struct comparisons *c, size_t d)
{
    ASSERT(d < c->design_count);
    for (size_t k = 0; k < c->kernel_count; k++)
        reverse(&c->kernels[d * c->kernel_count + k].distinguishable,
                &c->kernels[d * c->kernel_count + k].cache_reversible);
}

static void hold_kernels(struct comparisons *c, const struct comparisons *other)
{
    ASSERT(other->design_count == c->design_count && other->kernel_count == c->kernel_count);
    for (size_t i = 0; i < c->design_count * c->kernel_count; i++) {
        struct kernel_comparison *k = &c->kernels[i];

        if (!same_sign(other->kernels[i].distinguishable, other->kernels[i].difference, k->difference))
            reverse(&k->distinguishable, &k->cache_reversible);
    }
}

/* Checks the kernels of all designs with one bound for the baseline and one for the other designs. */
static int check_kernels(const struct plan *plan, const struct cache_ends *ends, int baseline, int others,
                         struct comparisons *c, struct err *e)
{
    const double **y = mem_zalloc(2 * c->design_count, sizeof *y, e), **errors = y + c->design_count;
    struct comparisons other;
    int ret = -1;

    for (size_t d = 0; y && d < c->design_count; d++) {
        y[d] = ends[d].of[d == c->baseline ? baseline : others];
        errors[d] = ends[d].error;
    }
    if (y && comparisons_make(plan, y, c->design_count, c->baseline, c->level, &other, e) == 0) {
        ret = within_launch_compare_all(plan, y, errors, &other, e);
        if (ret == 0)
            hold_kernels(c, &other);
        comparisons_release(&other);
    }
    free(y);
    return ret;
}

static int check_designs(const struct plan *plan, const struct cache_ends *ends, struct comparisons *c,
                         struct err *e)
{
    const struct cache_ends *base = &ends[c->baseline];
    bool bounded = false;

    ASSERT(c->baseline < c->design_count);
    for (size_t d = 0; d < c->design_count; d++) {
        if (d != c->baseline && check_cache_bounds(plan, base, &ends[d], &c->totals[d], e) < 0)
            return -1;
        if (base->unknown || ends[d].unknown)
            reverse_kernels(c, d);
        bounded |= ends[d].bounded;
    }
    for (int i = 0; bounded && i < CACHE_ENDS * CACHE_ENDS; i++)
        if (check_kernels(plan, ends, i / CACHE_ENDS, i % CACHE_ENDS, c, e) < 0)
            return -1;
    return 0;
}

int cache_bounds_check_all(const struct plan *plan, const struct bounded_values *v, struct comparisons *c,
                           struct err *e)
{
    struct cache_ends *ends = mem_zalloc(c->design_count + 1, sizeof *ends, e);
    int ret = ends ? 0 : -1;

    for (size_t d = 0; ret == 0 && d < c->design_count; d++)
        ret = cache_ends_make(&v[d], plan->sample_count, &ends[d], e);
    if (ret == 0)
        ret = check_designs(plan, ends, c, e);
    for (size_t d = 0; ends && d < c->design_count; d++)
        cache_ends_release(&ends[d]);
    free(ends);
    return ret;
}

/* --- two plans --- */

static int total_at(const struct bounded_total *x, const double *y, struct projection *out, struct err *e)
{
    const struct projection_options o = {.level = x->level, .alone = true, .error = x->values.error};

    ASSERT(!(x->scale < 0));
    if (projection_make_with(x->plan, y, &o, out, e) < 0)
        return -1;
    out->value *= x->scale;
    out->half_width *= x->scale;
    out->variance *= x->scale * x->scale;
    out->within *= x->scale;
    return 0;
}

static int check_totals(const struct bounded_total *a, const struct bounded_total *b, const struct cache_ends *x,
                        const struct cache_ends *y, struct comparison *c, struct err *e)
{
    if (x->unknown || y->unknown)
        reverse(&c->distinguishable, &c->cache_reversible);
    for (int i = 0; (x->bounded || y->bounded) && i < CACHE_ENDS * CACHE_ENDS && c->distinguishable; i++) {
        struct projection pa, pb;
        struct comparison one;

        if (total_at(a, x->of[i / CACHE_ENDS], &pa, e) < 0)
            return -1;
        if (total_at(b, y->of[i % CACHE_ENDS], &pb, e) < 0) {
            projection_release(&pa);
            return -1;
        }
        one = across_unpaired(&pa, &pb, c->level);
        hold_against(c, &one);
        projection_release(&pa);
        projection_release(&pb);
    }
    return 0;
}

int cache_bounds_check_unpaired(const struct bounded_total *a, const struct bounded_total *b, struct comparison *c,
                                struct err *e)
{
    struct cache_ends x = {.bounded = false}, y = {.bounded = false};
    int ret = -1;

    if (cache_ends_make(&a->values, a->plan->sample_count, &x, e) == 0 &&
        cache_ends_make(&b->values, b->plan->sample_count, &y, e) == 0)
        ret = check_totals(a, b, &x, &y, c, e);
    cache_ends_release(&x);
    cache_ends_release(&y);
    return ret;
}
