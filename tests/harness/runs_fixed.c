/* Fixed plans for a known spread: the oracle's plan, and the plan for the worst spread. Both keep the same promise
 * as a run (runs.h). */
#include "tests/harness/runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/estimate/gather.h"
#include "sampling/sequential/interim_size.h"
#include "sampling/strata/search.h"
#include "sampling/estimate/steady.h"

enum { ROUNDS = 2 };

/* Returns the mean of a stratum, and fills its standard deviation S, third moment and kurtosis on the design. */
static double known_stratum(const struct runs *r, const double *y, size_t h, struct alloc_stratum *s)
{
    double mean = 0, second = 0, fourth = 0, n;
    uint64_t count;
    const uint32_t *rows = runs_members(r, h, &count);

    n = (double)count;
    for (uint64_t i = 0; i < count; i++)
        mean += y[rows[i]] / n;
    for (uint64_t i = 0; i < count; i++) {
        double d = y[rows[i]] - mean;

        second += d * d;
        s->third += d * d * d / n;
        fourth += d * d * d * d;
    }
    s->sd = count > 1 ? fmax(sqrt(second / (n - 1)), r->plan.params.noise_floor * mean) : 0;
    s->kurtosis = second > 0 ? fourth * n / (second * second) - 3 : 0;
    s->seen = s->sd;
    return mean;
}

/* Fills n values with exactly this mean and standard deviation: half of them above the mean, half below. */
static void lay_values(double mean, double sd, uint64_t n, double *y)
{
    double off = n % 2 ? sd : sd * sqrt((double)(n - 1) / (double)n);

    for (uint64_t i = 0; i < n; i++)
        y[i] = mean + (n % 2 && i + 1 == n ? 0 : i % 2 ? off : -off);
}

/* Computes the degrees of freedom of an interval with these sizes, as if each stratum's sample had exactly its S.
 */
static int know_steady(const struct runs *r, const double *means, struct alloc_stratum *s, struct err *e)
{
    size_t count = r->plan.stratum_count, all = 0, at = 0;
    struct aux_stratum *aux = mem_zalloc(count, sizeof *aux, e);
    struct aux_slope *flat = mem_zalloc(count, sizeof *flat, e);
    double *sd = mem_zalloc(count, sizeof *sd, e), *y;
    int ret = -1;

    for (size_t h = 0; h < count; h++)
        all += s[h].n;
    y = mem_zalloc(all, sizeof *y, e);
    if (!aux || !flat || !sd || !y)
        goto out;
    for (size_t h = 0; h < count; h++) {
        const struct plan_stratum *from = &r->plan.strata[h];

        aux[h] = (struct aux_stratum){.population = (double)s[h].population,
                                      .n = s[h].n,
                                      .y = y + at,
                                      .planned_cv = from->planned_sd / from->mean};
        lay_values(means[h], s[h].sd, s[h].n, y + at);
        at += s[h].n;
    }
    steady_spreads(aux, flat, count, sd);
    for (size_t h = 0; h < count; h++)
        s[h].steady = sd[h];
    ret = 0;
out:
    free(aux);
    free(flat);
    free(sd);
    free(y);
    return ret;
}

static struct alloc_goal goal_of(const struct runs *r, double total)
{
    return (struct alloc_goal){.half_width = r->error * total,
                               .level = r->plan.params.confidence,
                               .least_df = interim_min_df(&r->plan),
                               .most_skewness = SEARCH_MOST_SKEWNESS};
}

static struct alloc_stratum *blank_strata(const struct runs *r, struct err *e)
{
    struct alloc_stratum *s = mem_zalloc(r->plan.stratum_count, sizeof *s, e);

    for (size_t h = 0; s && h < r->plan.stratum_count; h++) {
        const struct plan_stratum *from = &r->plan.strata[h];

        s[h] = (struct alloc_stratum){
            .population = from->population, .cost = from->cost, .least = from->population < 2 ? 1 : 2};
    }
    return s;
}

/* The residuals of y after a plan's ratio: y - R (x - mean x of the stratum), with R from all launches of the
 * kernel. */
static int ratio_residuals(const struct runs *r, const double *y, double *out, struct err *e)
{
    size_t count = r->plan.stratum_count, *group = mem_zalloc(count, sizeof *group, e);
    double *top = mem_zalloc(count, sizeof *top, e), *bottom = mem_zalloc(count, sizeof *bottom, e), all_y = 0;
    int ret = group && top && bottom ? gather_kernels(&r->plan, group, e) : -1;

    for (size_t h = 0; ret == 0 && h < count; h++) {
        uint64_t members;
        const uint32_t *rows = runs_members(r, h, &members);

        bottom[group[h]] += (double)r->plan.strata[h].total;
        for (uint64_t i = 0; i < members; i++)
            top[group[h]] += y[rows[i]];
    }
    for (size_t h = 0; ret == 0 && h < count; h++)
        all_y += top[h];
    for (size_t h = 0; ret == 0 && h < count; h++) {
        const struct plan_stratum *s = &r->plan.strata[h];
        double ratio = s->mixed_names ? all_y / (double)r->plan.total : top[group[h]] / bottom[group[h]];
        uint64_t members;
        const uint32_t *rows = runs_members(r, h, &members);

        for (uint64_t i = 0; i < members; i++)
            out[rows[i]] = y[rows[i]] - ratio * ((double)r->p->value[rows[i]] - s->mean);
    }
    free(group);
    free(top);
    free(bottom);
    return ret;
}

int runs_oracle(const struct runs *r, const double *y, uint64_t *n, double *cost, struct err *e)
{
    size_t count = r->plan.stratum_count;
    struct alloc_stratum *s = blank_strata(r, e);
    double *means = mem_zalloc(count, sizeof *means, e), total = 0;
    double *left = mem_zalloc(r->p->count, sizeof *left, e);
    int ret = s && means && left ? 0 : -1;
    struct alloc_outcome o = {0};
    struct alloc_goal goal;

    for (size_t i = 0; i < r->p->count; i++)
        total += y[i];
    goal = goal_of(r, total);
    if (ret == 0 && r->plan.estimator == PLAN_RATIO) {
        ret = ratio_residuals(r, y, left, e);
        y = left;
    }
    for (size_t h = 0; ret == 0 && h < count; h++)
        means[h] = known_stratum(r, y, h, &s[h]);
    if (ret == 0)
        ret = allocate_interval(s, count, &goal, &o, e);
    for (int i = 0; ret == 0 && i < ROUNDS; i++) {
        ret = know_steady(r, means, s, e);
        if (ret == 0)
            ret = allocate_interval(s, count, &goal, &o, e);
    }
    for (size_t h = 0; ret == 0 && h < count; h++)
        n[h] = s[h].n;
    *cost = o.cost;
    free(s);
    free(means);
    free(left);
    return ret;
}

int runs_worst_cost(const struct runs *r, double spread, double *out, struct err *e)
{
    struct alloc_goal goal = goal_of(r, (double)r->plan.total);
    struct alloc_stratum *s = blank_strata(r, e);
    struct alloc_outcome o = {0};
    int ret = s ? 0 : -1;

    for (size_t h = 0; s && h < r->plan.stratum_count; h++) {
        s[h].sd = s[h].seen = spread * r->plan.strata[h].planned_sd;
        s[h].third = r->shapes[h].third * spread * spread * spread;
        s[h].kurtosis = r->shapes[h].kurtosis;
    }
    if (ret == 0)
        ret = allocate_interval(s, r->plan.stratum_count, &goal, &o, e);
    *out = o.cost;
    free(s);
    return ret;
}
