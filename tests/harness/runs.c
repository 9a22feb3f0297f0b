#include "tests/harness/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/estimate/gather.h"
#include "sampling/sequential/plan_resize.h"
#include "sampling/math/quantile.h"
#include "sampling/estimate/ratio.h"
#include "tests/harness/redraw.h"

int runs_init(struct runs *r, const struct profile *p, double error, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;

    params.error = error;
    return runs_init_by(r, p, &params, e);
}

int runs_init_by(struct runs *r, const struct profile *p, const struct plan_params *params, struct err *e)
{
    *r = (struct runs){.p = p, .error = params->error};
    if (design_plan_by(p, params, &r->strata, &r->plan, e) < 0)
        return -1;
    r->shapes = mem_zalloc(r->strata.count, sizeof *r->shapes, e);
    if (!r->shapes)
        return -1;
    plan_shapes(&r->strata, r->shapes);
    return 0;
}

void runs_release(struct runs *r)
{
    plan_release(&r->plan);
    strata_release(&r->strata);
    free(r->shapes);
}

const uint32_t *runs_members(const struct runs *r, size_t h, uint64_t *count)
{
    const struct groups *g = &r->strata.groups;

    *count = stratum_population(&r->strata, h);
    return g->rows + g->runs[r->strata.items[h].run_begin].first;
}

/* --- designs --- */

static double name_factor(const struct plan_stratum *s, uint64_t seed)
{
    struct rng g;

    if (s->mixed_names)
        return 1;
    rng_init(&g, seed, hash_fnv1a(s->kernel_name, strlen(s->kernel_name)), RNG_TEST);
    return exp((2 * rng_unit(&g) - 1) * log(2));
}

static double rms_of(const struct plan_stratum *s)
{
    return sqrt(s->mean * s->mean + s->sd * s->sd);
}

double *runs_design(const struct runs *r, double spread, uint64_t seed, struct err *e)
{
    double *y = mem_zalloc(r->p->count, sizeof *y, e);

    for (size_t h = 0; y && h < r->plan.stratum_count; h++) {
        const struct plan_stratum *s = &r->plan.strata[h];
        double factor = name_factor(s, seed), noise, residual;
        uint64_t count;
        const uint32_t *rows = runs_members(r, h, &count);
        struct rng g;

        /* the planned spread; where kernels or shapes are pooled, the noise floor alone */
        noise = s->mixed_names || s->mixed_shapes ? s->mean * r->plan.params.noise_floor : s->planned_sd;
        residual = noise;
        noise = sqrt(fmax(0, noise * noise - s->sd * s->sd));
        rng_init(&g, seed, 1000 + h, RNG_TEST);
        for (uint64_t i = 0; i < count; i++) {
            double x = (double)r->p->value[rows[i]], random = fmax(-3, fmin(3, rng_normal(&g)));

            if (r->plan.estimator == PLAN_RATIO) /* spread around the kernel's ratio */
                y[rows[i]] = factor * fmax(0.05 * x, x + spread * residual * random * x / rms_of(s));
            else
                y[rows[i]] = factor * fmax(0.05 * s->mean, s->mean + spread * (x - s->mean + noise * random));
        }
    }
    return y;
}

/* --- one run --- */

struct table { /* the samples of a run drawn so far, and its present plan */
    const struct runs *r;
    const double *y;
    double truth;
    struct strata draws; /* a copy of r->strata with its own items */
    struct drawer d;
    uint32_t **ids;
    uint64_t *drawn, *n; /* per stratum */
    struct plan plan;    /* shares its strata's names with r->plan */
    double *values;      /* results of plan.samples */
    size_t room;
    struct aux_stratum *aux;
    double *x; /* profiled values of plan.samples; adjusted: their results, adjusted by a plan's ratio */
    double *adjusted;
    size_t *group;
};

static int table_init(struct table *t, const struct runs *r, const double *y, struct err *e)
{
    size_t count = r->plan.stratum_count;

    *t = (struct table){.r = r, .y = y, .draws = r->strata, .plan = r->plan};
    for (size_t i = 0; i < r->p->count; i++)
        t->truth += y[i];
    t->draws.items = mem_zalloc(count, sizeof *t->draws.items, e);
    t->ids = mem_zalloc(count, sizeof(uint32_t *), e);
    t->drawn = mem_zalloc(count, sizeof *t->drawn, e);
    t->n = mem_zalloc(count, sizeof *t->n, e);
    t->plan.strata = mem_zalloc(count, sizeof *t->plan.strata, e);
    t->aux = mem_zalloc(count, sizeof *t->aux, e);
    t->group = mem_zalloc(count, sizeof *t->group, e);
    t->plan.samples = NULL;
    if (!t->draws.items || !t->ids || !t->drawn || !t->n || !t->plan.strata || !t->aux || !t->group ||
        gather_kernels(&r->plan, t->group, e) < 0)
        return -1;
    memcpy(t->draws.items, r->strata.items, count * sizeof *t->draws.items);
    memcpy(t->plan.strata, r->plan.strata, count * sizeof *t->plan.strata);
    return drawer_init(&t->d, &r->strata, e);
}

static void table_release(struct table *t)
{
    for (size_t h = 0; t->ids && h < t->r->plan.stratum_count; h++)
        free(t->ids[h]);
    free(t->ids);
    free(t->drawn);
    free(t->n);
    free(t->draws.items);
    free(t->plan.strata);
    free(t->plan.samples);
    free(t->values);
    free(t->aux);
    free(t->x);
    free(t->adjusted);
    free(t->group);
    drawer_release(&t->d);
}

/* Draws t->n samples of each stratum, and writes them to t->plan. */
static int deal(struct table *t, uint64_t seed, struct err *e)
{
    size_t at = 0, all = 0, count = t->r->plan.stratum_count;

    for (size_t h = 0; h < count; h++)
        all += t->n[h];
    if (all > t->room) {
        free(t->plan.samples);
        free(t->values);
        free(t->x);
        free(t->adjusted);
        t->room = 2 * all;
        t->plan.samples = mem_zalloc(t->room, sizeof *t->plan.samples, e);
        t->values = mem_zalloc(t->room, sizeof *t->values, e);
        t->x = mem_zalloc(t->room, sizeof *t->x, e);
        t->adjusted = mem_zalloc(t->room, sizeof *t->adjusted, e);
        if (!t->plan.samples || !t->values || !t->x || !t->adjusted)
            return -1;
    }
    for (size_t h = 0; h < count; h++) {
        uint64_t population = t->plan.strata[h].population;

        if (t->drawn[h] < t->n[h]) {
            /* a complete stratum is drawn in launch order; only a smaller draw is a prefix of the permutation */
            t->drawn[h] = 2 * t->n[h] < population ? 2 * t->n[h] : population - (t->n[h] < population);
            free(t->ids[h]);
            t->ids[h] = mem_zalloc(t->drawn[h], sizeof *t->ids[h], e);
            if (!t->ids[h])
                return -1;
            t->draws.items[h].n = t->drawn[h];
            draw_stratum(&t->d, &t->draws, h, seed, RNG_EVALUATE, t->ids[h]);
        }
        t->plan.strata[h].samples = t->n[h];
        for (uint64_t i = 0; i < t->n[h]; i++) {
            t->plan.samples[at] = (struct plan_sample){
                .launch = t->ids[h][i], .stratum = (uint32_t)h, .draws = 1, .value = t->r->p->value[t->ids[h][i]]};
            t->x[at] = (double)t->r->p->value[t->ids[h][i]];
            t->values[at++] = t->y[t->ids[h][i]];
        }
    }
    t->plan.sample_count = at;
    return 0;
}

static void new_run(struct table *t)
{
    memset(t->drawn, 0, t->r->plan.stratum_count * sizeof *t->drawn);
}

static double cost_of(const struct table *t)
{
    double cost = 0;

    for (size_t h = 0; h < t->r->plan.stratum_count; h++)
        cost += t->plan.strata[h].cost * (double)t->n[h];
    return cost;
}

static bool holds(const struct table *t, double value, double half_width)
{
    return fabs(value - t->truth) <= half_width + 1e-12 * t->truth;
}

static int play_analyses(struct table *t, uint64_t seed, struct runs_score *out, struct err *e)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_spent past[INTERIM_MAX];
    const double *y[1];

    rule.error = t->r->error;
    new_run(t);
    if (interim_pilot(&t->r->plan, t->n, e) < 0)
        return -1;
    for (unsigned number = 1;; number++) {
        struct interim_analysis l;
        bool more;

        if (deal(t, seed, e) < 0)
            return -1;
        y[0] = t->values;
        if (interim_analyze(&t->plan, y, 1, &rule, past, number, t->r->shapes, &l, e) < 0)
            return -1;
        past[number - 1] = l.promises[0].spent;
        more = l.decision == INTERIM_MORE;
        if (more) {
            memcpy(t->n, l.next, t->r->plan.stratum_count * sizeof *t->n);
        } else {
            out->covered += holds(t, l.promises[0].value, l.promises[0].half_width);
            out->once += holds(t, l.promises[0].value, l.promises[0].once);
            out->within += fabs(l.promises[0].value - t->truth) <= t->r->error * t->truth;
            out->bias += l.promises[0].value / t->truth - 1;
            out->below += l.promises[0].value + l.promises[0].half_width < t->truth * (1 - 1e-12);
            out->kept += l.decision == INTERIM_KEPT;
            out->cost += cost_of(t);
            out->analyses += number;
        }
        interim_release(&l);
        if (!more)
            return 0;
    }
}

static struct aux_estimate estimate(struct table *t, bool naive)
{
    bool ratio = t->plan.estimator == PLAN_RATIO;
    const double *at = t->adjusted, *x = t->x;
    struct err e;

    memcpy(t->adjusted, t->values, t->plan.sample_count * sizeof *t->values);
    for (size_t h = 0; h < t->r->plan.stratum_count; h++) {
        const struct plan_stratum *s = &t->plan.strata[h];

        t->aux[h] = (struct aux_stratum){.population = (double)s->population,
                                         .x_total = (double)s->total,
                                         .n = t->n[h],
                                         .x = x,
                                         .y = at,
                                         .group = t->group[h],
                                         .own_factors = s->mixed_names,
                                         .common_noise = ratio && !naive};
        if (!naive) {
            t->aux[h].least_spread = t->plan.params.noise_floor;
            t->aux[h].planned_cv = s->planned_sd / s->mean;
        }
        at += t->n[h];
        x += t->n[h];
    }
    if (ratio && ratio_adjust(t->aux, t->r->plan.stratum_count, t->adjusted, &e) < 0)
        abort();
    return estimate_expansion(t->aux, t->r->plan.stratum_count);
}

/* Scores one draw of a plan with the sizes n; NULL: the run's own sizes. */
static int play_fixed(struct table *t, const uint64_t *n, uint64_t seed, struct runs_fixed_score *out,
                      struct err *e)
{
    struct aux_estimate a;
    double half_width;

    new_run(t);
    for (size_t h = 0; h < t->r->plan.stratum_count; h++)
        t->n[h] = n ? n[h] : t->r->plan.strata[h].samples;
    if (deal(t, seed, e) < 0)
        return -1;
    a = estimate(t, false);
    half_width = aux_half_width(&a, t->plan.params.confidence);
    out->covered += holds(t, a.value, half_width);
    out->kept += half_width <= t->r->error * a.value;
    out->cost += cost_of(t);
    return 0;
}

/* Adds one sample (in large runs, a fiftieth) to the stratum whose observed variance falls most for the cost. */
static void grow_naively(struct table *t)
{
    size_t count = t->r->plan.stratum_count, all = 0;

    for (size_t h = 0; h < count; h++)
        all += t->n[h];
    for (size_t k = 0; k < 1 + all / 50; k++) {
        double most = -1;
        size_t best = count;

        for (size_t h = 0; h < count; h++) {
            double n = (double)t->n[h], population = t->aux[h].population, gain;

            if (n >= population)
                continue;
            gain = population * population * aux_residual_squares(&t->aux[h], 0) /
                   fmax((double)t->aux[h].n - 1, 1) / (n * (n + 1)) / t->plan.strata[h].cost;
            if (gain > most) {
                most = gain;
                best = h;
            }
        }
        if (best < count)
            t->n[best]++;
    }
}

static int play_naively(struct table *t, uint64_t seed, struct runs_score *out, struct err *e)
{
    new_run(t);
    for (size_t h = 0; h < t->r->plan.stratum_count; h++)
        t->n[h] = t->plan.strata[h].population < 2 ? 1 : 2;
    for (;;) {
        struct aux_estimate a;
        double half_width;

        if (deal(t, seed, e) < 0)
            return -1;
        a = estimate(t, true);
        half_width = aux_half_width(&a, t->plan.params.confidence);
        if (half_width <= t->r->error * a.value) {
            out->naive_covered += holds(t, a.value, half_width);
            out->naive_cost += cost_of(t);
            return 0;
        }
        grow_naively(t);
    }
}

int runs_play_fixed(const struct runs *r, const double *y, uint64_t seed, unsigned repeats,
                    struct runs_fixed_score *out, struct err *e)
{
    struct table t;
    int ret = table_init(&t, r, y, e);

    *out = (struct runs_fixed_score){0};
    for (unsigned i = 0; ret == 0 && i < repeats; i++)
        ret = play_fixed(&t, NULL, seed + i, out, e);
    out->covered /= repeats;
    out->kept /= repeats;
    out->cost /= repeats;
    table_release(&t);
    return ret;
}

static void average(struct runs_score *out, unsigned repeats, unsigned naive)
{
    double *sums = (double *)out, covered = out->naive_covered, cost = out->naive_cost;

    for (size_t k = 0; k < sizeof *out / sizeof(double); k++)
        sums[k] /= repeats;
    out->naive_covered = naive ? covered / naive : NAN;
    out->naive_cost = naive ? cost / naive : NAN;
}

int runs_play(const struct runs *r, const double *y, const uint64_t *oracle, uint64_t seed, unsigned repeats,
              unsigned naive, struct runs_score *out, struct err *e)
{
    struct table t;
    int ret = table_init(&t, r, y, e);

    *out = (struct runs_score){0};
    for (unsigned i = 0; ret == 0 && i < repeats; i++) {
        ret = play_analyses(&t, seed + i, out, e);
        if (ret == 0)
            ret = play_fixed(&t, NULL, seed + i, &out->fixed, e);
        if (ret == 0)
            ret = play_fixed(&t, oracle, seed + i, &out->oracle, e);
        if (ret == 0 && i < naive)
            ret = play_naively(&t, seed + i, out, e);
    }
    average(out, repeats, naive);
    table_release(&t);
    return ret;
}
