/* Simulates the half-widths that projections would report, under the prior of assurance.h. Bisection over the
 * half-width given to sampling/allocate/allocate.h finds the smallest sizes that meet the assurance. All sizes use
 * the same random numbers, and noise and scale are placed on a lattice over their distributions, so that few draws
 * are enough. Assumes: launches of a stratum are drawn as its plan draws them, from the profile. */
#include "sampling/strata/assurance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/math/quantile.h"

#define MEDIAN_NOISE 0.02 /* the prior: assurance.h */
#define NOISE_SD     1.5
#define SCALE_SD     0.2
#define NAME_FACTOR  2.0
#define SHAPE_FACTOR 1.1
#define VALUE_MIN    0.05 /* share of the profiled value: lower limit of a simulated value */
#define GOLDEN       0.6180339887498949

enum { DRAWS_MAX = 256, DRAWS_MIN = 48, WORK = 400000 /* samples, all draws together */ };
enum { BISECTIONS = 5, STEPS_MAX = 24, NOISE_BISECTIONS = 7, WHOLE_MAX = 32 };
#define STEP         1.15 /* factor on the half-width that sizes are computed for */
#define FINE_STEP    1.02
#define ALL_PRIOR    (-1.0)
#define NOISE_LOOKED 1.0 /* the largest */

struct world {
    const struct profile *p;
    const struct plan_params *params;
    const struct strata *s;
    struct drawer drawer;
    uint32_t *ids;
    double *factor;   /* per kernel */
    double *y, *mean; /* of drawn launches; per stratum, of the profile */
    size_t room;
    struct aux_stratum *aux;
    double *planned_cv, *half_width; /* per stratum; per draw, as a share of the estimate */
    unsigned draws;
};

double assurance_noise(double assurance)
{
    ASSERT(assurance < 1);
    return assurance > 0 ? MEDIAN_NOISE * exp(NOISE_SD * normal_quantile(assurance)) : 0;
}

static void world_release(struct world *w)
{
    free(w->ids);
    free(w->factor);
    free(w->y);
    free(w->mean);
    free(w->aux);
    free(w->planned_cv);
    free(w->half_width);
    drawer_release(&w->drawer);
}

static int world_init(struct world *w, const struct profile *p, const struct plan_params *params,
                      const struct strata *s, struct err *e)
{
    *w = (struct world){.p = p, .params = params, .s = s};
    w->factor = mem_zalloc(p->kernel_count, sizeof *w->factor, e);
    w->mean = mem_zalloc(s->count, sizeof *w->mean, e);
    w->aux = mem_zalloc(s->count, sizeof *w->aux, e);
    w->planned_cv = mem_zalloc(s->count, sizeof *w->planned_cv, e);
    w->half_width = mem_zalloc(DRAWS_MAX, sizeof *w->half_width, e);
    if (!w->factor || !w->mean || !w->aux || !w->planned_cv || !w->half_width || drawer_init(&w->drawer, s, e) < 0)
        return -1;
    for (size_t h = 0; h < s->count; h++) {
        struct moments m = moments_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);

        w->mean[h] = moments_mean(&m);
        ASSERT(w->mean[h] > 0);
        w->planned_cv[h] = s->items[h].planned_sd / w->mean[h];
    }
    return 0;
}

/* Allocates memory for the samples of the current sizes, and sets the number of draws. */
static int world_fit(struct world *w, struct err *e)
{
    size_t all = 0;

    for (size_t h = 0; h < w->s->count; h++)
        all += w->s->items[h].n;
    if (all > w->room) {
        free(w->ids);
        free(w->y);
        w->room = all + all / 2;
        w->ids = mem_zalloc(w->room, sizeof *w->ids, e);
        w->y = mem_zalloc(w->room, sizeof *w->y, e);
        if (!w->ids || !w->y)
            return -1;
    }
    w->draws = all > 0 && WORK / all < DRAWS_MAX ? (unsigned)(WORK / all) : DRAWS_MAX;
    w->draws = w->draws < DRAWS_MIN ? DRAWS_MIN : w->draws;
    return 0;
}

static double even_factor(struct rng *r, double most)
{
    return exp((2 * rng_unit(r) - 1) * log(most));
}

static void draw_factors(struct world *w, uint64_t draw)
{
    for (size_t k = 0; k < w->p->kernel_count; k++) {
        struct rng name, shape;

        rng_init(&name, draw, w->p->kernels[k].name_id, RNG_ASSURANCE);
        rng_init(&shape, draw, ((uint64_t)1 << 40) + k, RNG_ASSURANCE);
        w->factor[k] = even_factor(&name, NAME_FACTOR) * even_factor(&shape, SHAPE_FACTOR);
    }
}

/* The total of a stratum that is taken whole, estimated from some of its launches if it has many. */
static double whole_total(const struct world *w, size_t h)
{
    const struct stratum_pick *pick = &w->s->items[h];
    const uint32_t *rows = w->s->groups.rows + w->s->groups.runs[pick->run_begin].first;
    uint64_t population = stratum_population(w->s, h), step = population / WHOLE_MAX + 1, taken = 0;
    double sum = 0;

    ASSERT(population > 0);
    for (uint64_t i = 0; i < population; i += step, taken++)
        sum += w->factor[w->p->kernel[rows[i]]] * (double)w->p->value[rows[i]];
    return sum / (double)taken * (double)population;
}

static void draw_values(struct world *w, size_t h, uint64_t draw, double scale, double noise, double *y)
{
    uint64_t n = w->s->items[h].n;
    struct rng r;

    ASSERT(n <= w->room);
    draw_stratum(&w->drawer, w->s, h, draw, RNG_ASSURANCE, w->ids);
    rng_init(&r, draw, ((uint64_t)2 << 40) + h, RNG_ASSURANCE);
    for (uint64_t i = 0; i < n; i++) {
        double x = (double)w->p->value[w->ids[i]];
        double value = fmax(w->mean[h] + scale * (x - w->mean[h]), VALUE_MIN * x);

        y[i] = w->factor[w->p->kernel[w->ids[i]]] * value * exp(noise * rng_normal(&r) - noise * noise / 2);
    }
}

/* The half-width of one draw, as a share of its estimate. */
static double draw_one(struct world *w, uint64_t draw, double scale, double noise)
{
    struct aux_estimate a;
    double whole = 0;
    size_t count = 0, at = 0;

    draw_factors(w, draw);
    for (size_t h = 0; h < w->s->count; h++) {
        uint64_t population = stratum_population(w->s, h), n = w->s->items[h].n;

        if (n >= population) {
            whole += whole_total(w, h);
            continue;
        }
        draw_values(w, h, draw, scale, noise, w->y + at);
        w->aux[count++] = (struct aux_stratum){.population = (double)population,
                                               .n = n,
                                               .y = w->y + at,
                                               .least_spread = w->s->noise_floor,
                                               .planned_cv = w->planned_cv[h]};
        at += n;
        ASSERT(at <= w->room);
    }
    a = estimate_expansion(w->aux, count);
    return aux_half_width(&a, w->params->confidence) / (a.value + whole);
}

/* Share of draws whose half-width is within the error, under the prior or with this noise. */
static int share_kept(struct world *w, double noise, double *out, struct err *e)
{
    double kept = 0;

    if (world_fit(w, e) < 0)
        return -1;
    for (unsigned i = 0; i < w->draws; i++) {
        double of_noise = ((double)i + 0.5) / w->draws, of_scale = fmod((i + 0.5) * GOLDEN, 1);
        double c = noise >= 0 ? noise : assurance_noise(of_noise);

        w->half_width[i] = draw_one(w, i, exp(SCALE_SD * normal_quantile(of_scale)), c);
        kept += w->half_width[i] <= w->params->error;
    }
    *out = kept / w->draws;
    return 0;
}

/* The half-width that this share of the last draws does not exceed. */
static double half_width_at(struct world *w, double share)
{
    size_t at = (size_t)ceil(share * w->draws);

    ASSERT(share > 0 && share <= 1);
    qsort(w->half_width, w->draws, sizeof *w->half_width, double_compare);
    return w->half_width[at > 0 ? at - 1 : 0];
}

/* --- sizes --- */

struct sizing {
    const struct alloc_goal *goal;
    const struct assured_sizes *of;
    struct strata *s;
    struct world *w;
    struct alloc_outcome *outcome;
    double kept;
};

/* Computes sizes for `times` the wanted half-width, and the share of draws in which they meet the error. */
static int size_at(struct sizing *x, double times, struct err *e)
{
    struct alloc_goal goal = *x->goal;

    ASSERT(times > 0);
    goal.half_width *= times;
    if (allocate_interval(x->of->sizes, x->of->count, &goal, x->outcome, e) < 0)
        return -1;
    for (size_t h = 0; h < x->s->count; h++)
        x->s->items[h].n = x->of->sizes[x->of->at[h]].n;
    return share_kept(x->w, ALL_PRIOR, &x->kept, e);
}

static bool assurance_whole(const struct strata *s)
{
    for (size_t h = 0; h < s->count; h++)
        if (s->items[h].n < stratum_population(s, h))
            return false;
    return true;
}

/* Bisection for the widest goal whose sizes meet the assurance. */
static int find_sizes(struct sizing *x, double assurance, struct err *e)
{
    double keeps = 1, fails = 0;

    ASSERT(assurance > 0 && assurance < 1);
    if (size_at(x, keeps, e) < 0)
        return -1;
    if (x->kept >= assurance) {
        for (int i = 0; i < STEPS_MAX && !(fails > 0); i++) {
            if (size_at(x, keeps * STEP, e) < 0)
                return -1;
            if (x->kept >= assurance)
                keeps *= STEP;
            else
                fails = keeps * STEP;
        }
    } else {
        for (int i = 0; i < STEPS_MAX && x->kept < assurance && !assurance_whole(x->s); i++) {
            fails = keeps;
            keeps /= STEP;
            if (size_at(x, keeps, e) < 0)
                return -1;
        }
    }
    for (int i = 0; i < BISECTIONS && fails > 0 && fails / keeps > FINE_STEP; i++) {
        double middle = sqrt(keeps * fails);

        if (size_at(x, middle, e) < 0)
            return -1;
        if (x->kept >= assurance)
            keeps = middle;
        else
            fails = middle;
    }
    return size_at(x, keeps, e);
}

/* The largest noise at which the assurance is still met. */
static int noise_limit(struct world *w, double assurance, double *out, struct err *e)
{
    double low = 0, high = NOISE_LOOKED, kept;

    if (share_kept(w, 0, &kept, e) < 0)
        return -1;
    *out = 0;
    if (kept < assurance)
        return 0;
    for (int i = 0; i < NOISE_BISECTIONS; i++) {
        double middle = (low + high) / 2;

        if (share_kept(w, middle, &kept, e) < 0)
            return -1;
        if (kept >= assurance)
            low = middle;
        else
            high = middle;
    }
    *out = low;
    return 0;
}

static void assurance_describe(const struct plan_params *params, struct strata *s)
{
    double asked = 100 * params->assurance, error = 100 * params->error;

    if (s->assured >= params->assurance)
        snprintf(
            s->note, sizeof s->note,
            "Assured: the projection's half-width is within ± %.3g %% in %.3g %% of cases, over random draws and "
            "over assumed designs (one factor for the spread within all strata, factors of 0.5 to 2 for kernels "
            "and of 0.9 to 1.1 for shapes, independent noise of launches with a median of 2 %%). Not assured: "
            "launches with independent noise of more than %.2g %% that the profile does not show, a second mode or "
            "a heavy tail",
            error, asked, 100 * s->assured_noise);
    else
        snprintf(
            s->caution, sizeof s->caution,
            "not assured: the half-width is within ± %.3g %% in about %.2g %% of cases, where %.3g %% was asked "
            "for: the %s",
            error, 100 * s->assured, asked, params->budget > 0 ? "budget is too small" : "launches spread too far");
}

int assurance_size(const struct profile *p, const struct plan_params *params, const struct alloc_goal *goal,
                   const struct assured_sizes *of, struct strata *s, struct alloc_outcome *outcome, struct err *e)
{
    struct world w;
    struct sizing x = {goal, of, s, &w, outcome, 0};
    int ret = world_init(&w, p, params, s, e);

    if (ret == 0)
        ret = params->budget > 0 ? share_kept(&w, ALL_PRIOR, &x.kept, e) : find_sizes(&x, params->assurance, e);
    if (ret == 0) {
        s->assured = x.kept;
        s->promised_error = half_width_at(&w, params->assurance);
        ret = noise_limit(&w, params->assurance, &s->assured_noise, e);
    }
    if (ret == 0)
        assurance_describe(params, s);
    world_release(&w);
    return ret;
}
