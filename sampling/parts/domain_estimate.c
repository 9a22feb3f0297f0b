#include "sampling/parts/domain_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/math/hash_index.h"
#include "sampling/profile/profile.h"
#include "sampling/math/quantile.h"

/* A domain in a stratum. */
struct cell {
    uint32_t stratum, domain;
    uint64_t launches;
};

/* The results of a cell, draws counted: sums of y - m and (y - m)^2. */
struct tally {
    uint64_t draws;
    double residuals, squares;
};

struct domain_counts {
    const struct domain_view *view;
    const struct plan *plan;
    struct hash_index index;
    struct cell *cells;
    size_t capacity;
    uint64_t *profiled;    /* per domain */
    uint32_t *sample_cell; /* per sample */
    uint32_t *cells_of;    /* cells by domain */
    size_t *first;         /* per domain, and the end: into cells_of */
};

static int64_t cell_of(struct domain_counts *c, size_t stratum, uint32_t domain, struct err *e)
{
    const uint32_t key[] = {(uint32_t)stratum, domain};
    uint64_t hash = hash_words(key, sizeof key);
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&c->index, hash, &at)) >= 0)
        if (c->cells[i].stratum == stratum && c->cells[i].domain == domain)
            return i;
    if (array_reserve((void **)&c->cells, &c->capacity, c->index.count + 1, sizeof *c->cells, e) < 0 ||
        hash_index_add(&c->index, hash, e) < 0)
        return -1;
    i = (int64_t)c->index.count - 1;
    c->cells[i] = (struct cell){.stratum = (uint32_t)stratum, .domain = domain};
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
static int count_launches(struct domain_counts *c, struct err *e)
{
    const struct plan *plan = c->plan;
    const struct profile *profile = c->view->profile;
    struct plan_index *index = plan_index_new(plan, profile, e);
    uint64_t *population = mem_zalloc(plan->stratum_count + 1, sizeof *population, e);
    int ret = index && population ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < profile->count; i++) {
        size_t h = plan_index_find(index, i);
        uint32_t domain = domain_of(c->view, i);
        int64_t cell;

        if (h >= plan->stratum_count)
            continue;
        cell = cell_of(c, h, domain, e);
        if (cell < 0)
            ret = -1;
        else
            c->cells[cell].launches++;
        ASSERT(domain < c->view->count);
        c->profiled[domain] += profile->value[i];
        population[h]++;
    }
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        if (population[h] != plan->strata[h].population)
            ret = refuse_profile(plan, h, e);
    free(population);
    plan_index_free(index);
    return ret;
}

static int find_sample_cells(struct domain_counts *c, struct err *e)
{
    for (size_t i = 0; i < c->plan->sample_count; i++) {
        const struct plan_sample *s = &c->plan->samples[i];
        int64_t cell;

        if (s->launch >= c->view->profile->count)
            return refuse_profile(c->plan, s->stratum, e);
        cell = cell_of(c, s->stratum, domain_of(c->view, s->launch), e);
        if (cell < 0)
            return -1;
        c->sample_cell[i] = (uint32_t)cell;
    }
    return 0;
}

static int order_cells(struct domain_counts *c, struct err *e)
{
    size_t *next = mem_zalloc(c->view->count + 1, sizeof *next, e);

    c->cells_of = mem_zalloc(c->index.count + 1, sizeof *c->cells_of, e);
    if (!next || !c->cells_of) {
        free(next);
        return -1;
    }
    for (size_t i = 0; i < c->index.count; i++)
        c->first[c->cells[i].domain + 1]++;
    for (size_t d = 0; d < c->view->count; d++) {
        next[d] = c->first[d];
        c->first[d + 1] += c->first[d];
    }
    ASSERT(c->first[c->view->count] == c->index.count);
    for (size_t i = 0; i < c->index.count; i++)
        c->cells_of[next[c->cells[i].domain]++] = (uint32_t)i;
    free(next);
    return 0;
}

struct domain_counts *domain_counts_new(const struct domain_view *v, const struct plan *plan, struct err *e)
{
    struct domain_counts *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->view = v;
    c->plan = plan;
    c->profiled = mem_zalloc(v->count + 1, sizeof *c->profiled, e);
    c->sample_cell = mem_zalloc(plan->sample_count + 1, sizeof *c->sample_cell, e);
    c->first = mem_zalloc(v->count + 2, sizeof *c->first, e);
    if (!c->profiled || !c->sample_cell || !c->first || count_launches(c, e) < 0 || find_sample_cells(c, e) < 0 ||
        order_cells(c, e) < 0) {
        domain_counts_free(c);
        return NULL;
    }
    return c;
}

void domain_counts_free(struct domain_counts *c)
{
    if (!c)
        return;
    free(c->cells);
    free(c->profiled);
    free(c->sample_cell);
    free(c->cells_of);
    free(c->first);
    hash_index_release(&c->index);
    free(c);
}

const struct plan *domain_counts_plan(const struct domain_counts *c)
{
    return c->plan;
}

/* The mean of a stratum's results and their number, draws counted. */
struct stratum_mean {
    double sum;
    uint64_t n;
};

/* Values of the samples, as they are needed for the estimates. */
struct valued {
    const struct domain_counts *counts;
    const struct projection *p;
    struct stratum_mean *mean;
    struct tally *tally;
    uint64_t *results; /* per domain */
};

static void valued_release(struct valued *x)
{
    free(x->mean);
    free(x->tally);
    free(x->results);
}

static int valued_make(const struct domain_counts *c, const double *y, const struct projection *p,
                       struct valued *out, struct err *e)
{
    const struct plan *plan = c->plan;

    ASSERT(p->stratum_count == plan->stratum_count);
    *out = (struct valued){.counts = c,
                           .p = p,
                           .mean = mem_zalloc(plan->stratum_count + 1, sizeof *out->mean, e),
                           .tally = mem_zalloc(c->index.count + 1, sizeof *out->tally, e),
                           .results = mem_zalloc(c->view->count + 1, sizeof *out->results, e)};
    if (!out->mean || !out->tally || !out->results)
        return -1;
    for (size_t i = 0; i < plan->sample_count; i++) {
        if (isnan(y[i]))
            continue;
        out->mean[plan->samples[i].stratum].sum += y[i] * plan->samples[i].draws;
        out->mean[plan->samples[i].stratum].n += plan->samples[i].draws;
    }
    for (size_t i = 0; i < plan->sample_count; i++) {
        const struct stratum_mean *m = &out->mean[plan->samples[i].stratum];
        struct tally *t = &out->tally[c->sample_cell[i]];
        double u;

        if (isnan(y[i]))
            continue;
        ASSERT(m->n > 0);
        u = y[i] - m->sum / (double)m->n;
        t->draws += plan->samples[i].draws;
        t->residuals += u * plan->samples[i].draws;
        t->squares += u * u * plan->samples[i].draws;
        out->results[c->cells[c->sample_cell[i]].domain]++;
    }
    return 0;
}

/* Adds a stratum's part to its domain. */
static void add_cell(const struct valued *x, uint32_t cell, struct domain_estimate *to, struct aux_sum *sum)
{
    const struct cell *c = &x->counts->cells[cell];
    const struct tally *t = &x->tally[cell];
    const struct plan_stratum *s = &x->counts->plan->strata[c->stratum];
    const struct projection_stratum *ps = &x->p->strata[c->stratum];
    double big = (double)s->population, n = (double)x->mean[c->stratum].n, share = (double)c->launches / big;
    double left = x->counts->plan->with_replacement ? big : big - n, spread = 0, variance = ps->variance,
           df = n - 1;

    ASSERT(c->launches <= s->population);
    if (!c->launches && !t->draws)
        return;
    to->few |= left > 0; /* not taken whole */
    to->value += (double)c->launches * ps->mean + (t->draws ? big / n * t->residuals : 0);
    if (c->launches < s->population) {
        if (n > 1)
            spread = big * left / n * (t->squares - t->residuals * t->residuals / n) / (n - 1);
        variance = share * (1 + 1 / n) * ps->variance;
        if (spread > variance) {
            variance = spread;
            df = t->draws > 1 ? (double)t->draws - 1 : 1;
        }
    }
    if (variance != 0) /* NaN: not known */
        aux_sum_add(sum, variance, df >= 1 ? df : x->p->df);
}

/* The parts are not surer than the whole, whose variance may be more than the sum of its strata's. */
static double excess_of(const struct projection *p)
{
    double sum = 0;

    for (size_t h = 0; h < p->stratum_count; h++)
        sum += p->strata[h].variance;
    ASSERT(!(sum < 0));
    return sum > 0 && p->variance > sum ? p->variance / sum : 1;
}

static void finish(const struct projection *p, const struct aux_sum *sum, double excess, struct domain_estimate *to)
{
    double within = t_factor(p->level, INFINITY) * p->within; /* a bound: it may all be in this part */

    to->few = to->few && to->results < DOMAIN_RESULTS_MIN;
    to->df = sum->variance != 0 ? fmin(aux_sum_df(sum), p->df) : INFINITY;
    to->half_width = sum->variance == 0 ? 0 : t_factor(p->level, to->df) * sqrt(sum->variance * excess);
    to->half_width += within;
    ASSERT(excess >= 1 && !(to->half_width < 0));
    if (to->few || isnan(sum->variance))
        to->half_width = to->df = NAN;
}

static struct domain_estimate estimate_domain(const struct valued *x, uint32_t domain, double excess)
{
    const struct domain_counts *c = x->counts;
    struct domain_estimate out = {.name = c->view->names[domain],
                                  .domain = domain,
                                  .profiled = c->profiled[domain],
                                  .results = x->results[domain]};
    struct aux_sum sum = {0, 0};

    ASSERT(domain < c->view->count);
    for (size_t i = c->first[domain]; i < c->first[domain + 1]; i++) {
        out.launches += c->cells[c->cells_of[i]].launches;
        add_cell(x, c->cells_of[i], &out, &sum);
    }
    ASSERT(out.launches <= c->plan->launches);
    finish(x->p, &sum, excess, &out);
    return out;
}

static int estimate_compare(const void *a, const void *b)
{
    const struct domain_estimate *x = a, *y = b;

    if (x->profiled != y->profiled)
        return x->profiled > y->profiled ? -1 : 1;
    return x->domain < y->domain ? -1 : 1;
}

int domain_values_of(const struct domain_counts *c, const double *y, const struct projection *p,
                     const uint32_t *domains, size_t count, struct domain_estimate *out, struct err *e)
{
    double excess = excess_of(p);
    struct valued x;
    int ret = valued_make(c, y, p, &x, e);

    for (size_t i = 0; ret == 0 && i < count; i++)
        out[i] = estimate_domain(&x, domains[i], excess);
    valued_release(&x);
    return ret;
}

int domain_estimates_of(const struct domain_counts *c, enum domain_kind kind, const double *y,
                        const struct projection *p, struct domain_estimate **out, size_t *count, struct err *e)
{
    struct valued x = {.counts = c};
    double excess = excess_of(p);
    int ret = -1;

    *count = 0;
    *out = mem_zalloc(c->view->count + 1, sizeof **out, e);
    if (*out)
        ret = valued_make(c, y, p, &x, e);
    for (size_t d = 0; ret == 0 && d < c->view->count; d++) {
        struct domain_estimate *to = &(*out)[*count];

        *to = estimate_domain(&x, (uint32_t)d, excess);
        to->below_zero = to->value < 0;
        if (to->below_zero)
            to->value = to->half_width = to->df = NAN;
        *count += to->launches > 0;
    }
    ASSERT(*count <= c->view->count);
    valued_release(&x);
    if (ret == 0 && kind != DOMAIN_STEP)
        array_sort(*out, *count, sizeof **out, estimate_compare);
    if (ret < 0) {
        free(*out);
        *out = NULL;
    }
    return ret;
}

int domain_estimates_make(const struct domain_view *v, enum domain_kind kind, const struct plan *plan,
                          const double *y, const struct projection *p, struct domain_estimate **out, size_t *count,
                          struct err *e)
{
    struct domain_counts *c = domain_counts_new(v, plan, e);
    int ret = -1;

    *count = 0;
    *out = NULL;
    if (c)
        ret = domain_estimates_of(c, kind, y, p, out, count, e);
    domain_counts_free(c);
    return ret;
}

const char *domain_estimate_why_not(const struct domain_estimate *d)
{
    if (d->below_zero)
        return "the part's results are so far below those of other parts that its total would be negative; more "
               "results of it are needed";
    if (d->few)
        return "the part has fewer than 10 results, too few for an interval";
    return NULL;
}
