/* Rescaling bootstrap and BCa; sources and limits: bootstrap.h.
 *
 *     y* = mean + sqrt(1 - n/N) (drawn - mean), n - 1 draws;   z0 = normal quantile of P(total* < total);
 *     levels: P(z0 + (z0 +- z) / (1 - a (z0 +- z))),   a = sum(u^3) / (6 sum(u^2)^1.5)
 *
 * u: the contribution of a result's residual to the total. Assumes: draws of a stratum are interchangeable, and the
 * total's distribution is normal after some monotone transformation. */
#include "sampling/checks/bootstrap.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/rng.h"
#include "sampling/estimate/gather.h"
#include "sampling/estimate/within_launch.h"
#include "sampling/math/quantile.h"

static const char why_not_known[] = "the interval is not known, so there is nothing to check";
static const char why_not_drawn[] = "samples that were chosen by a rule cannot be resampled";
static const char why_not_independent[] = "a systematic sample does not consist of independent draws";
static const char why_not_spread[] = "strata with one sample have no variance to resample";
static const char why_not_within[] =
    "some results are projected inside their launches, and resampling does not show that error";
static const char why_not_chance[] = "all launches are simulated, so there is no sampling error";
static const char says_uninformative[] = "most of the variance is in strata with two results or below the noise "
                                         "floor, where a bootstrap shows little: use the t interval";
static const char says_agree[] = "the bootstrap agrees with the t interval";
static const char says_disagree[] =
    "the bootstrap and the t interval differ by more than a quarter of the half-width: the results are few or "
    "skewed, and more samples are needed to decide";

/* --- BCa --- */

static double at_probability(const double *sorted, size_t count, double p)
{
    double rank = ceil(p * (double)count);

    ASSERT(count > 0);
    return sorted[rank < 1 ? 0 : rank > (double)count ? count - 1 : (size_t)rank - 1];
}

static double corrected(const struct bca *x, double z)
{
    double w = x->bias + z;

    return normal_probability(x->bias + w / (1 - x->acceleration * w));
}

void bca_interval(double *resamples, size_t count, double estimate, double acceleration, double level,
                  struct bca *out)
{
    double below = 0, z = normal_quantile((1 + level) / 2), share;

    ASSERT(count > 0 && level > 0 && level < 1);
    qsort(resamples, count, sizeof *resamples, double_compare);
    for (size_t i = 0; i < count && resamples[i] <= estimate; i++)
        below += resamples[i] < estimate ? 1 : 0.5; /* ties count half: few distinct results give many ties */
    share = fmin(fmax(below / (double)count, 0.5 / (double)count), 1 - 0.5 / (double)count);
    *out = (struct bca){.bias = normal_quantile(share), .acceleration = acceleration};
    out->probability[0] = corrected(out, -z);
    out->probability[1] = corrected(out, z);
    out->low = at_probability(resamples, count, out->probability[0]);
    out->high = at_probability(resamples, count, out->probability[1]);
    out->percentile_low = at_probability(resamples, count, (1 - level) / 2);
    out->percentile_high = at_probability(resamples, count, (1 + level) / 2);
}

/* --- resampling --- */

struct resampler {
    const struct gathered *g;
    double kappa;
    struct rng *streams;        /* a stratum's own */
    struct aux_stratum *strata; /* strata of one resample; they point into x and y */
    double *x, *y;
    struct aux_slope *slopes;
};

static double left_share(const struct aux_stratum *s)
{
    return s->with_replacement ? 1 : 1 - (double)s->n / s->population;
}

static bool varies(const struct aux_stratum *s)
{
    return s->n > 1 && left_share(s) > 0;
}

static int resampler_init(struct resampler *r, const struct gathered *g, double kappa, uint64_t seed, struct err *e)
{
    *r = (struct resampler){.g = g, .kappa = kappa};
    r->streams = mem_zalloc(g->count, sizeof *r->streams, e);
    r->strata = mem_zalloc(g->count, sizeof *r->strata, e);
    r->slopes = mem_zalloc(g->count, sizeof *r->slopes, e);
    r->x = mem_zalloc(g->values, sizeof *r->x, e);
    r->y = mem_zalloc(g->values, sizeof *r->y, e);
    if (!r->streams || !r->strata || !r->slopes || !r->x || !r->y)
        return -1;
    for (size_t h = 0; h < g->count; h++) {
        rng_init(&r->streams[h], seed, h, RNG_BOOTSTRAP);
        r->strata[h] = g->strata[h];
        r->strata[h].planned_cv = r->strata[h].residual_cv = 0; /* the resample's degrees of freedom are not used */
    }
    return 0;
}

static void resampler_release(struct resampler *r)
{
    free(r->streams);
    free(r->strata);
    free(r->slopes);
    free(r->x);
    free(r->y);
}

/* n - 1 pseudo results: mean + sqrt(1 - f) (drawn - mean), in x and y alike. */
static void bootstrap_redraw(struct resampler *r, size_t h, size_t at)
{
    const struct aux_stratum *from = &r->g->strata[h];
    double scale = sqrt(left_share(from)), mean_x = aux_mean(from->x, from->n), mean_y = aux_mean(from->y, from->n);

    ASSERT(from->n > 1 && at + from->n <= r->g->values);
    r->strata[h].n = from->n - 1;
    r->strata[h].x = r->x + at;
    r->strata[h].y = r->y + at;
    for (size_t i = 0; i + 1 < from->n; i++) {
        size_t drawn = rng_below(&r->streams[h], from->n);

        r->x[at + i] = mean_x + scale * (from->x[drawn] - mean_x);
        r->y[at + i] = mean_y + scale * (from->y[drawn] - mean_y);
    }
}

static int resample(struct resampler *r, double *out, struct err *e)
{
    size_t at = 0;

    for (size_t h = 0; h < r->g->count; at += r->g->strata[h++].n)
        if (varies(&r->g->strata[h]))
            bootstrap_redraw(r, h, at);
    if (aux_slopes(r->g->estimator, r->strata, r->g->count, r->kappa, r->slopes, e) < 0)
        return -1;
    *out = aux_total(r->strata, r->slopes, r->g->count).value;
    return 0;
}

/* Acceleration: a sixth of the skewness of the residuals around the estimator's slope, weighted as in the total.
 * For one stratum it equals the jackknife's. */
static double acceleration_of(const struct gathered *g)
{
    double squares = 0, cubes = 0;

    for (size_t h = 0; h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];
        double n = (double)s->n, b = g->slopes[h].b, scale = s->population * sqrt(fmax(left_share(s), 0));
        double mean = aux_mean(s->y, s->n) - b * aux_mean(s->x, s->n);

        for (size_t i = 0; varies(s) && i < s->n; i++) {
            double u = scale * (s->y[i] - b * s->x[i] - mean) / n;

            squares += u * u;
            cubes += u * u * u;
        }
    }
    ASSERT(!(squares < 0));
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* --- interpretation --- */

static const char *why_not(const struct plan *plan, const struct gathered *g, const struct projection *p)
{
    if (plan->variance == PLAN_VARIANCE_NONE)
        return why_not_drawn;
    if (plan->variance == PLAN_VARIANCE_SUCCESSIVE)
        return why_not_independent;
    for (size_t h = 0; h < g->count; h++)
        if (g->strata[h].n == 1 && left_share(&g->strata[h]) > 0)
            return why_not_spread;
    if (isnan(p->half_width))
        return why_not_known;
    return p->variance > 0 ? NULL : why_not_chance;
}

/* Share of the variance in strata with two results, or whose own spread is below the floor. */
static double uninformed_share(const struct gathered *g, const struct projection *p)
{
    double share = 0;

    for (size_t h = 0; h < g->count; h++) {
        struct aux_stratum s = g->strata[h];
        double with_floor = aux_doubt(&s, &g->slopes[h]).variance;

        s.least_spread = 0;
        if (with_floor > 0 && (s.n == 2 || aux_doubt(&s, &g->slopes[h]).variance < with_floor))
            share += with_floor / p->variance;
    }
    ASSERT(!(share < 0));
    return share;
}

static double spread_of(const double *values, size_t count)
{
    double mean = aux_mean(values, count), squares = 0;

    ASSERT(count > 1);
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return sqrt(squares / (double)(count - 1));
}

/* Resamples do not include that their spread is itself an estimate; Student's t does. With few degrees of freedom t
 * alone is wider by more than a quarter. So the ends are compared with those of the normal interval. */
static void bootstrap_judge(const struct gathered *g, const struct projection *p, struct bootstrap *out)
{
    double by_z = p->half_width * normal_quantile(0.5 + p->level / 2) / t_factor(p->level, p->df);
    double off = fmax(fabs(out->interval.low - (p->value - by_z)), fabs(out->interval.high - (p->value + by_z)));

    ASSERT(p->variance > 0);
    out->uninformed = uninformed_share(g, p);
    out->informative = out->uninformed < 0.5;
    out->disagrees = out->informative && off > 0.25 * p->half_width;
    out->sentence = !out->informative ? says_uninformative : out->disagrees ? says_disagree : says_agree;
}

int bootstrap_make(const struct plan *plan, const double *y, const struct projection_options *options,
                   const struct projection *p, size_t resamples, struct bootstrap *out, struct err *e)
{
    struct resampler r = {.g = NULL};
    struct gathered g;
    double *values = NULL;
    int ret = gather(plan, y, options->estimator, options, &g, e);

    *out = (struct bootstrap){.why_not = why_not_known};
    if (ret > 0 && !g.blank)
        out->why_not =
            within_launch_any(options->error, plan->sample_count) ? why_not_within : why_not(plan, &g, p);
    if (ret < 0 || out->why_not) {
        ret = ret < 0 ? -1 : 0;
        goto out;
    }
    ret = -1;
    values = mem_zalloc(resamples, sizeof *values, e);
    if (!values || resampler_init(&r, &g, options->kappa, plan->params.seed, e) < 0)
        goto out;
    for (size_t i = 0; i < resamples; i++)
        if (resample(&r, &values[i], e) < 0)
            goto out;
    ASSERT(resamples > 1);
    out->resamples = resamples;
    out->standard_error = spread_of(values, resamples);
    bca_interval(values, resamples, p->value, acceleration_of(&g), p->level, &out->interval);
    bootstrap_judge(&g, p, out);
    ret = 0;
out:
    resampler_release(&r);
    gathered_release(&g);
    free(values);
    return ret;
}
