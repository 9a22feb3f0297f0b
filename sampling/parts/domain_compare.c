#include "sampling/parts/domain_compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/gather.h"

struct comparer {
    const struct domain_counts *counts;
    const struct plan *plan;
    double level;
    double *values, *sizes;
};

/* The totals of b - k a in these domains; within: an error that is added to each interval. */
static int totals_of(struct comparer *c, const double *a, const double *b, double k, double within,
                     const uint32_t *domains, size_t count, struct domain_estimate *out, struct err *e)
{
    struct projection p;
    int ret;

    gather_pairs(c->plan, a, b, k, c->values, c->sizes);
    if (projection_of_pairs(c->plan, c->values, c->sizes, c->level, &p, e) < 0)
        return -1;
    ASSERT(!(within < 0));
    p.within = within;
    ret = domain_values_of(c->counts, c->values, &p, domains, count, out, e);
    projection_release(&p);
    return ret;
}

static int ratio_of(struct comparer *c, const struct domain_pair *pair, uint32_t domain, double below,
                    struct domain_comparison *to, struct err *e)
{
    struct domain_estimate residual;

    if (totals_of(c, pair->a.empty, pair->b.empty, to->ratio, hypot(pair->within[0] * to->ratio, pair->within[1]),
                  &domain, 1, &residual, e) < 0)
        return -1;
    ASSERT(below > 0);
    to->ratio_half_width = residual.half_width / below;
    to->distinguishable =
        comparison_real(to->difference, to->difference_half_width, to->ratio, to->ratio_half_width);
    return 0;
}

/* Differences for all combinations of empty and warm caches of both designs: all must have the same sign. */
static int check_caches(struct comparer *c, const struct domain_pair *pair, const struct cache_ends *a,
                        const struct cache_ends *b, const uint32_t *domains, size_t count,
                        struct domain_estimate *difference, struct domain_comparison *out, struct err *e)
{
    bool unknown = a->unknown || b->unknown;

    for (int i = 0; (a->bounded || b->bounded) && i < CACHE_ENDS * CACHE_ENDS; i++) {
        if (totals_of(c, a->of[i / CACHE_ENDS], b->of[i % CACHE_ENDS], 1, hypot(pair->within[0], pair->within[1]),
                      domains, count, difference, e) < 0)
            return -1;
        for (size_t d = 0; d < count; d++)
            if (!comparison_real(difference[d].value, difference[d].half_width, NAN, NAN) ||
                (difference[d].value > 0) != (out[d].difference > 0))
                out[d].cache_reversible |= out[d].distinguishable;
    }
    for (size_t d = 0; d < count; d++) {
        out[d].cache_reversible |= unknown && out[d].distinguishable;
        out[d].distinguishable = out[d].distinguishable && !out[d].cache_reversible;
    }
    return 0;
}

static int compare(struct comparer *c, const struct domain_pair *pair, const uint32_t *domains, size_t count,
                   struct domain_estimate *above, struct domain_estimate *difference, struct domain_comparison *out,
                   struct err *e)
{
    struct cache_ends a = {.bounded = false}, b = {.bounded = false};
    int ret = -1;

    if (totals_of(c, pair->a.empty, pair->b.empty, 0, 0, domains, count, above, e) < 0 ||
        totals_of(c, pair->a.empty, pair->b.empty, 1, hypot(pair->within[0], pair->within[1]), domains, count,
                  difference, e) < 0)
        return -1;
    for (size_t d = 0; d < count; d++) {
        double below = above[d].value - difference[d].value;

        out[d].paired_on = above[d].results;
        if (!(above[d].value > 0) || !(below > 0))
            continue;
        out[d].difference = difference[d].value;
        out[d].difference_half_width = difference[d].half_width;
        out[d].ratio = above[d].value / below;
        if (ratio_of(c, pair, domains[d], below, &out[d], e) < 0)
            return -1;
    }
    if (cache_ends_make(&pair->a, c->plan->sample_count, &a, e) == 0 &&
        cache_ends_make(&pair->b, c->plan->sample_count, &b, e) == 0)
        ret = check_caches(c, pair, &a, &b, domains, count, difference, out, e);
    cache_ends_release(&a);
    cache_ends_release(&b);
    return ret;
}

int domain_compare(const struct domain_counts *counts, const struct domain_estimate *parts, size_t count,
                   const struct domain_pair *pair, struct domain_comparison *out, struct err *e)
{
    const struct plan *plan = domain_counts_plan(counts);
    size_t n = count < pair->count ? count : pair->count;
    struct comparer c = {.counts = counts,
                         .plan = plan,
                         .level = pair->level,
                         .values = mem_zalloc(plan->sample_count + 1, sizeof *c.values, e),
                         .sizes = mem_zalloc(plan->sample_count + 1, sizeof *c.sizes, e)};
    struct domain_estimate *above = mem_zalloc(n + 1, sizeof *above, e),
                           *difference = mem_zalloc(n + 1, sizeof *difference, e);
    uint32_t *domains = mem_zalloc(n + 1, sizeof *domains, e);
    int ret = -1;

    ASSERT(pair->level > 0 && pair->level < 1);
    for (size_t d = 0; d < count; d++)
        out[d] = (struct domain_comparison){
            .difference = NAN, .difference_half_width = NAN, .ratio = NAN, .ratio_half_width = NAN};
    for (size_t d = 0; domains && d < n; d++)
        domains[d] = parts[d].domain;
    if (c.values && c.sizes && above && difference && domains)
        ret = compare(&c, pair, domains, n, above, difference, out, e);
    free(c.values);
    free(c.sizes);
    free(above);
    free(difference);
    free(domains);
    return ret;
}
