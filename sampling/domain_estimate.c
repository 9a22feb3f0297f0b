#include "sampling/domain_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "sampling/estimator_aux.h"
#include "sampling/hash_index.h"
#include "sampling/profile.h"
#include "sampling/quantile.h"

/* A domain in a stratum. */
struct cell {
    uint32_t stratum, domain;
    uint64_t launches, draws;
    double residuals, squares; /* of the draws with a result: sums of y - m, (y - m)^2 */
};

struct cells {
    struct hash_index index;
    struct cell *items;
    size_t capacity;
};

static int64_t cell_of(struct cells *c, size_t stratum, uint32_t domain, struct err *e)
{
    const uint32_t key[] = {(uint32_t)stratum, domain};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&c->index, hash, &at)) >= 0)
        if (c->items[i].stratum == stratum && c->items[i].domain == domain)
            return i;
    if (array_reserve((void **)&c->items, &c->capacity, c->index.count + 1, sizeof *c->items, e) < 0 ||
        hash_index_add(&c->index, hash, e) < 0)
        return -1;
    i = (int64_t)c->index.count - 1;
    c->items[i] = (struct cell){.stratum = (uint32_t)stratum, .domain = domain};
    return i;
}

static int refuse_profile(const struct plan *plan, size_t stratum, struct err *e)
{
    err_set(e, ERR_INVALID,
            "the profile is not the one that the plan was made from: stratum %zu has other launches", stratum);
    return err_hint(e, "The plan has %llu launches; give the profile that it was drawn from.",
                    (unsigned long long)plan->launches);
}

/* Counts the launches of each domain in each stratum, and checks that they are those of the plan. */
static int count_launches(const struct domain_view *v, const struct plan *plan, struct cells *c,
                          struct domain_estimate *out, struct err *e)
{
    struct plan_index *index = plan_index_new(plan, v->profile, e);
    uint64_t *population = mem_zalloc(plan->stratum_count + 1, sizeof *population, e);
    int ret = index && population ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < v->profile->count; i++) {
        size_t h = plan_index_find(index, i);
        int64_t cell;

        if (h >= plan->stratum_count)
            continue;
        cell = cell_of(c, h, domain_of(v, i), e);
        if (cell < 0)
            ret = -1;
        else
            c->items[cell].launches++;
        out[domain_of(v, i)].profiled += v->profile->value[i];
        population[h]++;
    }
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        if (population[h] != plan->strata[h].population)
            ret = refuse_profile(plan, h, e);
    free(population);
    plan_index_free(index);
    return ret;
}

/* The mean of a stratum's results and their number, draws counted. */
struct stratum_mean {
    double sum;
    uint64_t n;
};

static int add_results(const struct domain_view *v, const struct plan *plan, const double *y,
                       const struct stratum_mean *mean, struct cells *c, struct domain_estimate *out, struct err *e)
{
    for (size_t i = 0; i < plan->sample_count; i++) {
        const struct plan_sample *s = &plan->samples[i];
        uint32_t domain;
        int64_t cell;
        double u;

        if (isnan(y[i]))
            continue;
        if (s->launch >= v->profile->count)
            return refuse_profile(plan, s->stratum, e);
        domain = domain_of(v, s->launch);
        cell = cell_of(c, s->stratum, domain, e);
        if (cell < 0)
            return -1;
        u = y[i] - mean[s->stratum].sum / (double)mean[s->stratum].n;
        c->items[cell].draws += s->draws;
        c->items[cell].residuals += u * s->draws;
        c->items[cell].squares += u * u * s->draws;
        out[domain].results++;
    }
    return 0;
}

/* Adds a stratum's part to its domain. */
static void add_cell(const struct plan *plan, const struct projection *p, const struct stratum_mean *mean,
                     const struct cell *c, struct domain_estimate *to, struct aux_sum *sum)
{
    const struct plan_stratum *s = &plan->strata[c->stratum];
    const struct projection_stratum *ps = &p->strata[c->stratum];
    double big = (double)s->population, n = (double)mean[c->stratum].n, share = (double)c->launches / big;
    double left = plan->with_replacement ? big : big - n, spread = 0, variance = ps->variance, df = n - 1;

    ASSERT(c->launches <= s->population);
    to->few |= left > 0; /* not taken whole */
    to->value += (double)c->launches * ps->mean + big / n * c->residuals;
    if (c->launches < s->population) {
        if (n > 1)
            spread = big * left / n * (c->squares - c->residuals * c->residuals / n) / (n - 1);
        variance = share * (1 + 1 / n) * ps->variance;
        if (spread > variance) {
            variance = spread;
            df = c->draws > 1 ? (double)c->draws - 1 : 1;
        }
    }
    if (variance != 0) /* NaN: not known */
        aux_sum_add(sum, variance, df >= 1 ? df : p->df);
}

/* The parts are not surer than the whole, whose variance may be more than the sum of its strata's. */
static double excess_of(const struct projection *p)
{
    double sum = 0;

    for (size_t h = 0; h < p->stratum_count; h++)
        sum += p->strata[h].variance;
    return sum > 0 && p->variance > sum ? p->variance / sum : 1;
}

static void finish(const struct projection *p, const struct aux_sum *sum, double excess, struct domain_estimate *to)
{
    double within = t_factor(p->level, INFINITY) * p->within; /* a bound: it may all be in this part */

    to->few = to->few && to->results < DOMAIN_RESULTS_MIN;
    to->df = sum->variance != 0 ? fmin(aux_sum_df(sum), p->df) : INFINITY;
    to->half_width = sum->variance == 0 ? 0 : t_factor(p->level, to->df) * sqrt(sum->variance * excess);
    to->half_width += within;
    if (to->few || isnan(sum->variance))
        to->half_width = to->df = NAN;
}

static int estimate_compare(const void *a, const void *b)
{
    const struct domain_estimate *x = a, *y = b;

    if (x->profiled != y->profiled)
        return x->profiled > y->profiled ? -1 : 1;
    return x->domain < y->domain ? -1 : 1;
}

/* Fills the domains from the cells; removes those without launches. Returns how many are left. */
static size_t gather_domains(const struct domain_view *v, enum domain_kind kind, const struct plan *plan,
                             const struct projection *p, const struct stratum_mean *mean, const struct cells *c,
                             struct aux_sum *sums, struct domain_estimate *out)
{
    double excess = excess_of(p);
    size_t used = 0;

    for (size_t i = 0; i < c->index.count; i++) {
        const struct cell *cell = &c->items[i];

        out[cell->domain].launches += cell->launches;
        add_cell(plan, p, mean, cell, &out[cell->domain], &sums[cell->domain]);
    }
    for (size_t d = 0; d < v->count; d++) {
        if (!out[d].launches)
            continue;
        finish(p, &sums[d], excess, &out[d]);
        out[d].name = v->names[d];
        out[d].domain = (uint32_t)d;
        out[used++] = out[d];
    }
    if (kind != DOMAIN_STEP)
        array_sort(out, used, sizeof *out, estimate_compare);
    return used;
}

int domain_estimates_make(const struct domain_view *v, enum domain_kind kind, const struct plan *plan,
                          const double *y, const struct projection *p, struct domain_estimate **out, size_t *count,
                          struct err *e)
{
    struct cells c = {.items = NULL};
    struct stratum_mean *mean = mem_zalloc(plan->stratum_count + 1, sizeof *mean, e);
    struct aux_sum *sums = mem_zalloc(v->count + 1, sizeof *sums, e);
    int ret = -1;

    ASSERT(p->stratum_count == plan->stratum_count);
    *count = 0;
    *out = mem_zalloc(v->count + 1, sizeof **out, e);
    if (!mean || !sums || !*out || count_launches(v, plan, &c, *out, e) < 0)
        goto out;
    for (size_t i = 0; i < plan->sample_count; i++) {
        if (isnan(y[i]))
            continue;
        mean[plan->samples[i].stratum].sum += y[i] * plan->samples[i].draws;
        mean[plan->samples[i].stratum].n += plan->samples[i].draws;
    }
    if (add_results(v, plan, y, mean, &c, *out, e) < 0)
        goto out;
    *count = gather_domains(v, kind, plan, p, mean, &c, sums, *out);
    ret = 0;
out:
    free(mean);
    free(sums);
    free(c.items);
    hash_index_release(&c.index);
    if (ret < 0) {
        free(*out);
        *out = NULL;
    }
    return ret;
}
