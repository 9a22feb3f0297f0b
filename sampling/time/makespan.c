/* The busy time on a design, and its interval.
 *
 * Launches that were not simulated get durations that add up to their stratum's projected total, each with a
 * deviation of its own (sampling/time/launch_spread.h): if streams run in parallel, independent deviations make the
 * busy time longer; a layout with equal times within a stratum would not include that. The value is the mean of
 * TRIPLES such layouts.
 *
 * For each, two more layouts are made: one with all totals changed by random multiples of their standard errors,
 * one with the opposite changes. With T_h a stratum's total and b_h the mean derivative of the busy time by it,
 *     V = sum b_h^2 V(T_h) + variance of (busy time - sum b_h T_h) over the layouts:
 * the first part is the variance from the totals (cov(busy, T) = b V(T): Stein, Annals of Statistics 9, 1981), the
 * second, from few layouts, is the part that is not linear in the totals; it is 0 if all launches are sequential.
 * Degrees of freedom are Satterthwaite's limited to those of the total. The half-width is
 *     t sqrt(V) + |mean of both changed layouts - the unchanged one| + uncertainty of the deviations' effect:
 * the busy time is not differentiable where two streams end at the same time; there, errors of the totals in both
 * directions make it longer. V and the second term are computed twice: at the projected totals, and at the
 * profile's totals, all multiplied by the same factor. The wider of the two intervals is used. Reason: streams of a
 * profile often end at the same time, and the busy time is not differentiable there. */
#include "sampling/time/makespan.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/rng.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/time/launch_spread.h"
#include "sampling/time/makespan_layout.h"
#include "sampling/math/quantile.h"

#define TRIPLES  ((size_t)8)
#define NONE     UINT32_MAX
#define MOVE_MAX 2.5  /* standard errors */
#define LEAST    0.02 /* minimum duration of a launch, as a share of its expected duration */
/* Minimum relative error of the deviations' effect, for any number of results: the shape of their distribution is
 * only known from a few results per stratum. */
#define SHAPE_DOUBT 0.25
/* With this number of results, a fifth of all launches that take much longer is missing with a probability of 3 %.
 */
#define MIN_RESULTS 16.0

static const char why_total[] = "the sum of durations has none";
static const char why_few[] =
    "too few of the long launches were simulated to know how much launches of one kind differ";
static const char why_wide[] =
    "streams may shift against each other so much that the interval would be wider than the makespan itself";

struct result {
    uint32_t at; /* position in the layout */
    double ns, alike_ns;
};

struct doubt {
    struct layout layout;
    struct launch_spread spread;
    const struct plan *plan;
    const struct projection *p;
    double ns_per_unit;
    struct rng rng;
    size_t strata;
    uint32_t *stratum; /* by position in the layout; NONE: takes no time */
    double *shape; /* duration before scaling by the stratum, ns; 0: the launch has a result, or takes no time */
    double *deviation; /* S z, by position in the layout */
    struct result *results;
    size_t result_count;
    /* by stratum, ns: of launches without a result */
    double *shapes;        /* sum of `shape` */
    double *total, *error; /* projected, and its standard error */
    double *scale;         /* `total` / projected total */
    double *moves;         /* relative */
    double *drawn;         /* with deviations: [triple][stratum] */
    double *moved;         /* [triple][stratum] */
    /* Sums over the layouts: derivative times duration, and duration. */
    double *slope, *moved_time;
    bool alike;
};

/* Results of the layouts around one set of totals. */
struct around {
    double value, plain; /* with deviations, without */
    double variance, df, shift;
};

static void deviate(struct doubt *d)
{
    for (size_t i = 0; i < d->layout.input.count; i++) {
        uint32_t h = d->stratum[i];

        ASSERT_HOT(!(d->shape[i] > 0) || h < d->strata);
        d->deviation[i] = 0;
        if (d->shape[i] > 0 && d->spread.spread[h] > 0 && d->spread.pool_count > 0)
            d->deviation[i] =
                fmax(LEAST - 1, d->spread.spread[h] *
                                    d->spread.pool[((uint64_t)rng_u32(&d->rng) * d->spread.pool_count) >> 32]);
    }
}

/* The busy time of a layout. sign 0: unchanged totals; deviating false: without deviations of single launches. */
static double busy(struct doubt *d, const double *moves, double sign, bool deviating)
{
    for (size_t i = 0; i < d->layout.input.count; i++) {
        uint32_t h = d->stratum[i];

        ASSERT_HOT(!(d->shape[i] > 0) || (h < d->strata && d->shapes[h] > 0));
        d->layout.durations[i] = d->shape[i] > 0 ? d->shape[i] * d->total[h] / d->shapes[h] *
                                                       (1 + sign * moves[h]) * (deviating ? 1 + d->deviation[i] : 1)
                                                 : 0;
    }
    for (size_t k = 0; k < d->result_count; k++)
        d->layout.durations[d->results[k].at] = d->alike ? d->results[k].alike_ns : d->results[k].ns;
    return layout_busy(&d->layout);
}

static void add_slopes(struct doubt *d)
{
    for (size_t i = 0; i < d->layout.input.count; i++) {
        if (!(d->shape[i] > 0))
            continue;
        d->slope[d->stratum[i]] += d->layout.slopes[i] * d->layout.durations[i];
        d->moved_time[d->stratum[i]] += d->layout.durations[i];
    }
}

/* Stores the totals of the last layout, with its random deviations. */
static void note_drawn(const struct doubt *d, double *drawn)
{
    for (size_t h = 0; h < d->strata; h++)
        drawn[h] = 0;
    for (size_t i = 0; i < d->layout.input.count; i++)
        if (d->shape[i] > 0)
            drawn[d->stratum[i]] += d->layout.durations[i];
}

static void draw_moves(struct doubt *d, double *moves)
{
    for (size_t h = 0; h < d->strata; h++) { /* a total falls by at most its whole value */
        double z = fmax(-MOVE_MAX, fmin(MOVE_MAX, rng_normal(&d->rng)));

        ASSERT(!(d->error[h] < 0));
        moves[h] = d->total[h] > 0 ? fmax(-1, fmin(1, z * d->error[h] / d->total[h])) : 0;
    }
}

/* The busy time minus its part that is linear in the totals. */
static double makespan_rest(const struct doubt *d, double ns, const double *drawn, const double *moves, double sign)
{
    for (size_t h = 0; h < d->strata; h++)
        if (d->moved_time[h] > 0)
            ns -= d->slope[h] / d->moved_time[h] * (drawn[h] * (1 + sign * moves[h]) - d->total[h]);
    return ns;
}

static double variance_of(const double *v, size_t n)
{
    double mean = aux_mean(v, n), sum = 0;

    ASSERT(n > 1);
    for (size_t i = 0; i < n; i++)
        sum += (v[i] - mean) * (v[i] - mean);
    return sum / (double)(n - 1);
}

/* Variance of a stratum's total from the pooled spread: few results may agree by chance. */
static double usual_variance(const struct doubt *d, size_t h)
{
    const struct projection_stratum *s = &d->p->strata[h];
    const struct plan_stratum *from = &d->plan->strata[h];
    double n = (double)s->done, all = (double)s->population, sd = d->spread.slope * from->sd / from->mean;

    return n > 0 && n < all
               ? all * (all - n) / n * s->mean * s->mean * (d->spread.spread[h] * d->spread.spread[h] + sd * sd)
               : 0;
}

static void sum_up(const struct doubt *d, double rests[3][TRIPLES], struct around *out)
{
    struct aux_sum sum = {0};
    double usual = 0;

    for (size_t h = 0; h < d->strata; h++) {
        const struct projection_stratum *s = &d->p->strata[h];
        double b = d->moved_time[h] > 0 ? d->slope[h] / d->moved_time[h] * d->ns_per_unit * d->scale[h] : 0;

        if (s->variance != 0)
            aux_sum_add(&sum, b * b * s->variance, s->done > 1 ? (double)(s->done - 1) : d->p->df);
        usual += b * b * fmax(0, usual_variance(d, h) - s->variance);
    }
    aux_sum_add(&sum, (variance_of(rests[1], TRIPLES) + variance_of(rests[2], TRIPLES)) / 2, (double)(TRIPLES - 1));
    aux_sum_add(&sum, variance_of(rests[0], TRIPLES) / (double)TRIPLES, (double)(TRIPLES - 1));
    out->value = aux_mean(rests[0], TRIPLES);
    out->shift =
        fabs((aux_mean(rests[1], TRIPLES) + aux_mean(rests[2], TRIPLES)) / 2 - aux_mean(rests[0], TRIPLES));
    ASSERT(!(usual < 0) && !(sum.variance < 0));
    out->variance = sum.variance + usual;
    out->df = fmin(aux_sum_df(&sum), d->p->df);
}

static void look_around(struct doubt *d, struct around *out)
{
    double rests[3][TRIPLES];
    static const double signs[] = {0, 1, -1};

    for (size_t h = 0; h < d->strata; h++)
        d->slope[h] = d->moved_time[h] = 0;
    out->plain = busy(d, d->moves, 0, false);
    for (size_t k = 0; k < TRIPLES; k++) {
        deviate(d);
        draw_moves(d, d->moved + k * d->strata);
        for (int side = 0; side < 3; side++) {
            rests[side][k] = busy(d, d->moved + k * d->strata, signs[side], true);
            add_slopes(d);
            if (side == 0)
                note_drawn(d, d->drawn + k * d->strata);
        }
    }
    for (size_t k = 0; k < TRIPLES; k++)
        for (int side = 0; side < 3; side++)
            rests[side][k] =
                makespan_rest(d, rests[side][k], d->drawn + k * d->strata, d->moved + k * d->strata, signs[side]);
    sum_up(d, rests, out);
}

/* --- totals --- */

/* Totals of launches without a result, and their errors. The deviations of single launches are drawn separately;
 * the rest of the total's variance changes all launches of a stratum together. It is at least their share of the
 * stratum's launches. */
static void totals_as_projected(struct doubt *d)
{
    double *own = d->moves; /* sum of squares of the shapes */

    ASSERT(d->strata == d->plan->stratum_count && d->result_count <= d->plan->sample_count);
    for (size_t h = 0; h < d->strata; h++) {
        d->total[h] = d->p->strata[h].total * d->ns_per_unit;
        d->scale[h] = 1;
        own[h] = 0;
    }
    for (size_t k = 0; k < d->result_count; k++)
        d->total[d->stratum[d->results[k].at]] -= d->results[k].ns;
    for (size_t i = 0; i < d->layout.input.count; i++)
        if (d->shape[i] > 0)
            own[d->stratum[i]] += d->shape[i] * d->shape[i];
    for (size_t h = 0; h < d->strata; h++) {
        const struct projection_stratum *s = &d->p->strata[h];
        double variance = s->variance * d->ns_per_unit * d->ns_per_unit, spread;

        d->total[h] = fmax(0, d->total[h]); /* a regression estimate may be below 0 */
        spread = d->shapes[h] > 0 ? d->total[h] / d->shapes[h] * d->spread.spread[h] : 0;
        d->error[h] = s->variance != 0 ? sqrt(fmax(variance - spread * spread * own[h],
                                                   variance * (1 - (double)s->done / (double)s->population)))
                                       : 0;
        own[h] = 0;
    }
}

/* Sets all totals to one factor times the profiled ones; relative errors do not change. */
static void totals_alike(struct doubt *d)
{
    double projected = 0, profiled = 0;

    ASSERT(!d->alike);
    for (size_t h = 0; h < d->strata; h++) {
        projected += d->p->strata[h].total * d->ns_per_unit;
        profiled += (double)d->plan->strata[h].total;
    }
    projected = fmax(0, projected); /* an estimate by difference or regression may be below zero */
    for (size_t h = 0; h < d->strata; h++) {
        double to = d->shapes[h] * projected / profiled;

        d->scale[h] = d->total[h] > 0 ? to / d->total[h] : 0;
        d->error[h] *= d->scale[h];
        d->total[h] = to;
    }
    for (size_t k = 0; k < d->result_count; k++)
        d->results[k].alike_ns *= projected / profiled;
    d->alike = true;
}

static double student(double level, const struct around *x)
{
    ASSERT(!(x->variance < 0));
    return x->variance > 0 ? t_factor(level, x->df) * sqrt(x->variance) : 0;
}

/* The relative uncertainty of the shift of the busy time by deviations. */
static double shape_doubt(const struct doubt *d)
{
    double df = d->spread.df;

    return df > 0 ? fmax(SHAPE_DOUBT, t_factor(d->p->level, df) * sqrt(1 / (2 * df))) : 1;
}

static double half_width(struct doubt *d, const struct around *here)
{
    struct around alike;
    double level = d->p->level, effect;

    totals_alike(d);
    look_around(d, &alike);
    effect = fmax(fabs(here->value - here->plain), fabs(alike.value - alike.plain));
    return fmax(student(level, here), student(level, &alike)) + fmax(here->shift, alike.shift) +
           shape_doubt(d) * effect;
}

static void makespan_measure(struct doubt *d, struct makespan *out)
{
    struct around here;
    double half = NAN;

    totals_as_projected(d);
    look_around(d, &here);
    if (d->p->half_width == 0)
        half = 0;
    else if (isnan(d->p->half_width))
        out->why_no_interval = why_total;
    else if (d->spread.results < MIN_RESULTS)
        out->why_no_interval = why_few;
    else
        half = half_width(d, &here);
    if (half > here.value) {
        half = NAN;
        out->why_no_interval = why_wide;
    }
    ASSERT(!(half < 0));
    out->value_s = here.value * 1e-9;
    out->half_width_s = half * 1e-9;
}

/* --- setting up --- */

static int find_strata(struct doubt *d, struct err *e)
{
    struct plan_index *index = plan_index_new(d->plan, d->layout.profile, e);

    if (!index)
        return -1;
    for (size_t i = 0; i < d->layout.input.count; i++) {
        size_t h = plan_index_find(index, d->layout.rows[i]);

        /* a launch of value 0 is in no stratum */
        d->stratum[i] = h < d->strata ? (uint32_t)h : NONE;
    }
    plan_index_free(index);
    return 0;
}

/* place: scratch memory for profile->count entries. */
static void find_results(struct doubt *d, const double *y, uint32_t *place)
{
    const struct plan *plan = d->plan;
    const struct profile *profile = d->layout.profile;

    for (size_t i = 0; i < profile->count; i++) {
        uint32_t h = d->stratum[i];
        double x = (double)profile->value[d->layout.rows[i]];

        place[d->layout.rows[i]] = (uint32_t)i;
        if (h != NONE)
            d->shape[i] = fmax(LEAST * plan->strata[h].mean,
                               plan->strata[h].mean + d->spread.slope * (x - plan->strata[h].mean));
    }
    for (size_t k = 0; k < plan->sample_count; k++) {
        uint32_t at;

        ASSERT(plan->samples[k].launch < profile->count);
        at = place[plan->samples[k].launch];
        if (isnan(y[k]) || d->stratum[at] == NONE)
            continue;
        d->shape[at] = 0;
        d->results[d->result_count++] = (struct result){at, y[k] * d->ns_per_unit, (double)plan->samples[k].value};
    }
    for (size_t i = 0; i < profile->count; i++)
        if (d->shape[i] > 0)
            d->shapes[d->stratum[i]] += d->shape[i];
    ASSERT(d->result_count <= plan->sample_count);
}

static int makespan_allocate(struct doubt *d, struct err *e)
{
    size_t n = d->layout.input.count, strata = d->strata;

    d->stratum = mem_zalloc(n, sizeof *d->stratum, e);
    d->shape = mem_zalloc(n, sizeof *d->shape, e);
    d->deviation = mem_zalloc(n, sizeof *d->deviation, e);
    d->results = mem_zalloc(d->plan->sample_count, sizeof *d->results, e);
    d->shapes = mem_zalloc(strata, sizeof *d->shapes, e);
    d->total = mem_zalloc(strata, sizeof *d->total, e);
    d->error = mem_zalloc(strata, sizeof *d->error, e);
    d->scale = mem_zalloc(strata, sizeof *d->scale, e);
    d->moves = mem_zalloc(strata, sizeof *d->moves, e);
    d->slope = mem_zalloc(strata, sizeof *d->slope, e);
    d->moved_time = mem_zalloc(strata, sizeof *d->moved_time, e);
    d->drawn = mem_zalloc(TRIPLES * strata, sizeof *d->drawn, e);
    d->moved = mem_zalloc(TRIPLES * strata, sizeof *d->moved, e);
    return d->stratum && d->shape && d->deviation && d->results && d->shapes && d->total && d->error && d->scale &&
                   d->moves && d->slope && d->moved_time && d->drawn && d->moved
               ? 0
               : -1;
}

static int doubt_init(struct doubt *d, const struct profile *profile, const double *y, struct err *e)
{
    uint32_t *place = mem_zalloc(profile->count, sizeof *place, e);
    int ret = -1;

    rng_init(&d->rng, 1, 0, RNG_MAKESPAN);
    d->strata = d->plan->stratum_count;
    if (place && layout_init(&d->layout, profile, e) == 0 && makespan_allocate(d, e) == 0 &&
        find_strata(d, e) == 0 && launch_spread_make(d->plan, y, &d->spread, e) == 0) {
        find_results(d, y, place);
        ret = 0;
    }
    free(place);
    return ret;
}

static void doubt_release(struct doubt *d)
{
    layout_release(&d->layout);
    launch_spread_release(&d->spread);
    free(d->stratum);
    free(d->shape);
    free(d->deviation);
    free(d->results);
    free(d->shapes);
    free(d->total);
    free(d->error);
    free(d->scale);
    free(d->moves);
    free(d->slope);
    free(d->moved_time);
    free(d->drawn);
    free(d->moved);
}

int makespan_make(const struct profile *profile, const struct plan *plan, const double *y,
                  const struct projection *p, double seconds_per_unit, struct makespan *out, struct err *e)
{
    struct doubt d = {.plan = plan, .p = p, .ns_per_unit = seconds_per_unit * 1e9};
    int ret = -1;

    *out = (struct makespan){NAN, NAN, NAN, NULL};
    if (!profile->start_ns || profile->unit != PROFILE_NS || isnan(p->value) || isnan(seconds_per_unit))
        return 0;
    if (doubt_init(&d, profile, y, e) == 0) {
        out->results = d.spread.results;
        makespan_measure(&d, out);
        ret = 0;
    }
    doubt_release(&d);
    return ret;
}
