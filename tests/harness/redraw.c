#include "tests/harness/redraw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/methods/plan_make.h"
#include "sampling/math/quantile.h"
#include "sampling/estimate/ratio.h"

const char *const design_names[DESIGN_ALL] = {[DESIGN_PROFILE] = "profile",
                                              [DESIGN_OTHER] = "other GPU",
                                              [DESIGN_NOISE_3] = "noise 3 %",
                                              [DESIGN_NOISE_10] = "noise 10 %",
                                              [DESIGN_NOISE_30] = "noise 30 %",
                                              [DESIGN_LOGNORMAL_3] = "lognormal 3 %",
                                              [DESIGN_LOGNORMAL_10] = "lognormal 10 %",
                                              [DESIGN_LOGNORMAL_30] = "lognormal 30 %",
                                              [DESIGN_SLOW_MODE] = "20 % x2",
                                              [DESIGN_FAST_MODE] = "30 % x0.5",
                                              [DESIGN_HEAVY_TAIL] = "heavy tail",
                                              [DESIGN_NOISY_KERNELS] = "noisy kernels"};

/* A random factor between 1 / most and most, uniform in its logarithm. */
static double factor_of(uint64_t seed, uint64_t what, double most)
{
    struct rng r;

    rng_init(&r, seed, what, RNG_TEST);
    return exp((2 * rng_unit(&r) - 1) * log(most));
}

/* Normal noise, truncated at three standard deviations, so that no time falls below a tenth. */
static double noise_of(struct rng *r, double cv)
{
    return 1 + cv * fmax(-3, fmin(3, rng_normal(r)));
}

int design_plan_by(const struct profile *p, const struct plan_params *params, struct strata *strata,
                   struct plan *plan, struct err *e)
{
    const struct method *m = method_find("vivace", e);

    return m && m->stratify(p, params, strata, e) == 0 &&
                   plan_from_strata(m, p, params, strata, RNG_EVALUATE, plan, e) == 0
               ? 0
               : -1;
}

int design_plan(const struct profile *p, double error, struct strata *strata, struct plan *plan, struct err *e)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;

    params.error = error;
    return design_plan_by(p, &params, strata, plan, e);
}

/* The factor of one launch on the design, relative to its profiled value. */
static double launch_factor(enum design d, bool noisy, struct rng *r)
{
    switch (d) {
    case DESIGN_NOISE_3: return noise_of(r, 0.03);
    case DESIGN_NOISE_10: return noise_of(r, 0.10);
    case DESIGN_NOISE_30: return noise_of(r, 0.30);
    case DESIGN_LOGNORMAL_3: return exp(0.03 * rng_normal(r));
    case DESIGN_LOGNORMAL_10: return exp(0.10 * rng_normal(r));
    case DESIGN_LOGNORMAL_30: return exp(0.30 * rng_normal(r));
    case DESIGN_HEAVY_TAIL: return exp(rng_normal(r));
    case DESIGN_SLOW_MODE: return rng_unit(r) < 0.2 ? 2 : 1;
    case DESIGN_FAST_MODE: return rng_unit(r) < 0.3 ? 0.5 : 1;
    case DESIGN_NOISY_KERNELS: return noise_of(r, noisy ? 0.3 : 0);
    case DESIGN_PROFILE:
    case DESIGN_OTHER:
    case DESIGN_ALL: break;
    }
    return 1;
}

double *design_make(const struct profile *p, enum design d, uint64_t seed, struct err *e)
{
    double *y = mem_zalloc(p->count, sizeof *y, e), *factor = mem_zalloc(p->kernel_count, sizeof *factor, e);
    bool *noisy = mem_zalloc(p->kernel_count, sizeof *noisy, e);
    struct rng r;

    rng_init(&r, seed, d, RNG_TEST);
    for (size_t k = 0; factor && noisy && k < p->kernel_count; k++) {
        const struct profile_kernel *kernel = &p->kernels[k];
        uint64_t name = hash_fnv1a(kernel->name, strlen(kernel->name));
        uint64_t shape = name ^ hash_fnv1a(kernel->grid, sizeof kernel->grid) ^
                         3 * hash_fnv1a(kernel->block, sizeof kernel->block);

        noisy[k] = (name ^ seed) % 3 == 0;
        factor[k] = factor_of(seed, name, 2) * factor_of(seed, shape, 1.1);
    }
    for (size_t i = 0; y && factor && noisy && i < p->count; i++) {
        y[i] = (double)p->value[i];
        if (d == DESIGN_OTHER)
            y[i] *= factor[p->kernel[i]];
        else
            y[i] *= launch_factor(d, noisy[p->kernel[i]], &r);
    }
    free(factor);
    free(noisy);
    return y;
}

struct scratch {
    uint32_t *ids;
    double *x, *y, *half_width, *df; /* x, y: draws of one repeat; half_width, df: per design and repeat */
    double *x_total;
    size_t *group;   /* per stratum: index of the first stratum of its kernel */
    double *z, *all; /* per design: sum(z variance), true total */
    struct aux_stratum *strata;
    size_t *first; /* per stratum: index of its first draw in ids */
    double *planned_cv;
    size_t draws;
    struct drawer d;
};

static void scratch_release(struct scratch *x)
{
    free(x->ids);
    free(x->x);
    free(x->x_total);
    free(x->group);
    free(x->y);
    free(x->half_width);
    free(x->df);
    free(x->all);
    free(x->strata);
    free(x->first);
    free(x->planned_cv);
    drawer_release(&x->d);
}

static int scratch_init(struct scratch *x, const struct strata *s, size_t designs, unsigned repeats, struct err *e)
{
    *x = (struct scratch){0};
    x->first = mem_zalloc(s->count + 1, sizeof *x->first, e);
    x->planned_cv = mem_zalloc(s->count, sizeof *x->planned_cv, e);
    x->x_total = mem_zalloc(s->count, sizeof *x->x_total, e);
    x->group = mem_zalloc(s->count, sizeof *x->group, e);
    if (!x->first || !x->planned_cv || !x->x_total || !x->group)
        return -1;
    for (size_t h = 0; h < s->count; h++) {
        struct moments m = moments_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);

        x->planned_cv[h] = s->items[h].planned_sd / moments_mean(&m);
        x->x_total[h] = (double)m.sum;
        x->group[h] = h;
        for (size_t k = h; k-- > 0 && s->items[h].name != NO_NAME;)
            if (s->items[k].name == s->items[h].name)
                x->group[h] = k;
        x->first[h] = x->draws;
        x->draws += s->items[h].n;
    }
    x->ids = mem_zalloc(x->draws, sizeof *x->ids, e);
    x->x = mem_zalloc(x->draws, sizeof *x->x, e);
    x->y = mem_zalloc(x->draws, sizeof *x->y, e);
    x->half_width = mem_zalloc(designs * repeats, sizeof *x->half_width, e);
    x->df = mem_zalloc(designs * repeats, sizeof *x->df, e);
    x->all = mem_zalloc(designs, sizeof *x->all, e);
    x->strata = mem_zalloc(s->count, sizeof *x->strata, e);
    return x->x && x->ids && x->y && x->half_width && x->df && x->all && x->strata && drawer_init(&x->d, s, e) == 0
               ? 0
               : -1;
}

static void look(struct scratch *x, const struct strata *s, const double *y, const struct profile *p, double floor)
{
    bool ratio = s->estimator == PLAN_RATIO;
    struct err e;

    for (size_t i = 0; i < x->draws; i++) {
        x->y[i] = y[x->ids[i]];
        x->x[i] = ratio ? (double)p->value[x->ids[i]] : 0;
    }
    for (size_t h = 0; h < s->count; h++)
        x->strata[h] = (struct aux_stratum){.population = (double)stratum_population(s, h),
                                            .x_total = x->x_total[h],
                                            .n = s->items[h].n,
                                            .x = x->x + x->first[h],
                                            .group = x->group[h],
                                            .own_factors = s->items[h].name == NO_NAME,
                                            .common_noise = ratio && floor > 0,
                                            .y = x->y + x->first[h],
                                            .with_replacement = s->with_replacement,
                                            .least_spread = floor,
                                            .planned_cv = x->planned_cv[h]};
    if (ratio && ratio_adjust(x->strata, s->count, x->y, &e) < 0)
        abort();
}

static void score_one(struct scratch *x, const struct strata *s, const double *y, double truth, size_t at,
                      const struct redraw_params *params, struct redraw_score *score)
{
    double z = normal_quantile(0.5 + params->level / 2), off, half_width, slack = 1e-12 * truth;
    struct aux_estimate t, plain;
    bool within;

    look(x, s, y, params->p, s->noise_floor);
    t = estimate_expansion(x->strata, s->count);
    off = fabs(t.value - truth);
    within = off <= params->error * truth + slack;
    score->within += within;
    score->rmse += off * off;
    if (isnan(t.variance)) {
        score->covered_t = score->covered_z = NAN;
        score->kept += within;
        return;
    }
    half_width = t.variance > 0 ? t_factor(params->level, t.df) * sqrt(t.variance) : 0;
    score->covered_t += off <= half_width + slack;
    score->kept += within || off <= half_width + slack;
    x->half_width[at] = half_width;
    x->df[at] = t.df;
    look(x, s, y, params->p, 0);
    plain = estimate_expansion(x->strata, s->count);
    score->covered_z += off <= z * sqrt(plain.variance) + slack;
}

double redraw_median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, double_compare);
    return n ? v[n / 2] : NAN;
}

int redraw(const struct strata *s, const double *const *y, size_t designs, size_t count,
           const struct redraw_params *params, struct redraw_score *scores, struct err *e)
{
    unsigned repeats = params->repeats;
    struct scratch x;
    int ret = -1;

    memset(scores, 0, designs * sizeof *scores);
    if (scratch_init(&x, s, designs, repeats, e) < 0)
        goto out;
    for (size_t d = 0; d < designs; d++)
        for (size_t i = 0; i < count; i++)
            x.all[d] += y[d][i];
    for (unsigned r = 0; r < repeats; r++) {
        for (size_t h = 0; h < s->count; h++)
            draw_stratum(&x.d, s, h, params->seed + r, RNG_EVALUATE, x.ids + x.first[h]);
        for (size_t d = 0; d < designs; d++)
            score_one(&x, s, y[d], x.all[d], d * repeats + r, params, &scores[d]);
    }
    for (size_t d = 0; d < designs; d++) {
        struct redraw_score *o = &scores[d];

        o->within /= repeats;
        o->covered_t /= repeats;
        o->covered_z /= repeats;
        o->kept /= repeats;
        o->rmse = sqrt(o->rmse / repeats) / x.all[d];
        o->half_width = isnan(o->covered_t) ? NAN : redraw_median(x.half_width + d * repeats, repeats) / x.all[d];
        o->df = isnan(o->covered_t) ? NAN : redraw_median(x.df + d * repeats, repeats);
    }
    ret = 0;
out:
    scratch_release(&x);
    return ret;
}

double redraw_cost(const struct strata *s, const struct profile *p)
{
    double cost = 0;

    for (size_t h = 0; h < s->count; h++) {
        struct moments m = moments_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);
        double n = (double)s->items[h].n, all = (double)m.count;

        /* n draws with replacement have an expected N (1 - (1 - 1/N)^n) distinct launches */
        cost += (s->with_replacement ? all * -expm1(n * log1p(-1 / all)) : n) * moments_mean(&m);
    }
    return cost / (double)profile_total(p);
}
