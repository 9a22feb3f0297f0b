/* How long anything would run under a design. Durations are scaled stratum by stratum; what the profile shows of
 * the host (gaps on a stream, and kernels that overlap on one) stays. Waiting across streams is not modelled.
 *
 * The busy time has a kink wherever two streams end together, and a profile's streams do: they wait for each other.
 * There, a derivative says nothing of the other side, and noise can only lengthen: streams that ran side by side
 * slip. So derivatives are means over layouts in which all factors are moved by their standard errors, up and down
 * at random, each with its opposite; what remains of the mean of such a pair is how far noise shifts the busy time.
 * Both are taken where the factors are and where all strata change alike, as the streams were profiled: the wider
 * one counts. Strata are independent: variance = sum of derivative^2 x variance of the factor. Degrees of freedom
 * are Satterthwaite's, as other strata may weigh here than in the total, and never more than the total's: it knows
 * of steady.h and of what a regression has used up. */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/rng.h"
#include "sampling/estimator_aux.h"
#include "sampling/makespan_layout.h"
#include "sampling/projection.h"
#include "sampling/quantile.h"

/* Pairs of layouts; eight are no better than four (bench/makespan.c). */
#define PAIRS ((size_t)4)

struct doubt {
    struct layout layout;
    const struct projection *p;
    double *centre, *error;         /* of the factors, by stratum */
    double busy, half_width, shift; /* ns, around `centre` */
    struct rng rng;
};

static void move_factors(struct doubt *d, size_t strata, const double *moves, double sign)
{
    for (size_t h = 0; h < strata; h++)
        d->layout.factors[h] = d->centre[h] + sign * moves[h];
}

static double half_width_of(const struct doubt *d, size_t layouts)
{
    struct aux_sum sum = {0};

    for (size_t h = 0; h < d->p->stratum_count; h++) {
        const struct projection_stratum *s = &d->p->strata[h];
        double moved = d->layout.gradient[h] / (double)layouts * d->error[h];

        aux_sum_add(&sum, moved * moved, s->done > 1 ? (double)(s->done - 1) : d->p->df);
    }
    if (!(sum.variance > 0))
        return sum.variance;
    return t_factor(d->p->level, fmin(aux_sum_df(&sum), d->p->df)) * sqrt(sum.variance);
}

/* Around d->centre. */
static void look_around(struct doubt *d, double *moves)
{
    size_t strata = d->p->stratum_count;
    double sum = 0;

    move_factors(d, strata, moves, 0);
    d->busy = layout_busy(&d->layout);
    for (size_t h = 0; h < strata; h++)
        d->layout.gradient[h] = 0;
    for (size_t pair = 0; pair < PAIRS; pair++) {
        for (size_t h = 0; h < strata; h++) { /* by its whole length at most: none ends before it began */
            double move = fmin(d->error[h], d->centre[h]);

            moves[h] = rng_below(&d->rng, 2) ? move : -move;
        }
        for (int sign = -1; sign <= 1; sign += 2) {
            move_factors(d, strata, moves, sign);
            sum += layout_busy(&d->layout);
        }
    }
    d->half_width = half_width_of(d, 2 * PAIRS);
    d->shift = fabs(sum / (double)(2 * PAIRS) - d->busy);
    for (size_t h = 0; h < strata; h++)
        d->layout.gradient[h] = 0;
}

static void factors_as_projected(struct doubt *d, const struct plan *plan, double ns_per_unit)
{
    for (size_t h = 0; h < plan->stratum_count; h++) {
        const struct projection_stratum *s = &d->p->strata[h];
        double scale = ns_per_unit / plan->strata[h].mean;

        d->centre[h] = fmax(0, s->mean * scale); /* a regression's mean may lie below */
        d->error[h] = s->variance != 0 ? sqrt(s->variance) / (double)s->population * scale : 0;
    }
}

/* Errors stay what they are as a share of the factor. */
static void factors_alike(struct doubt *d, const struct plan *plan)
{
    double projected = 0, profiled = 0, alike;

    for (size_t h = 0; h < plan->stratum_count; h++) {
        double time = plan->strata[h].mean * (double)d->p->strata[h].population;

        projected += d->centre[h] * time;
        profiled += time;
    }
    alike = projected / profiled;
    for (size_t h = 0; h < plan->stratum_count; h++) {
        d->error[h] = d->centre[h] > 0 ? d->error[h] / d->centre[h] * alike : 0;
        d->centre[h] = alike;
    }
}

/* Returns the busy time in ns. */
static double measure(struct doubt *d, const struct plan *plan, double ns_per_unit, double *half_width,
                      double *moves)
{
    double ns;

    factors_as_projected(d, plan, ns_per_unit);
    look_around(d, moves);
    ns = d->busy;
    *half_width = d->half_width;
    if (*half_width > 0) {
        double shift = d->shift;

        factors_alike(d, plan);
        look_around(d, moves);
        *half_width = fmax(*half_width, d->half_width) + fmax(shift, d->shift);
    }
    return ns;
}

double projection_makespan_s(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             double seconds_per_unit, double *half_width_s)
{
    struct doubt d = {.p = p};
    double ns = NAN, *moves;
    struct err ignored; /* the answer to running out of memory is "not known" */

    *half_width_s = NAN;
    if (!profile->start_ns || profile->unit != PROFILE_NS || isnan(p->value))
        return NAN;
    rng_init(&d.rng, 1, 0, RNG_MAKESPAN);
    d.centre = mem_zalloc(plan->stratum_count, sizeof *d.centre, &ignored);
    d.error = mem_zalloc(plan->stratum_count, sizeof *d.error, &ignored);
    moves = mem_zalloc(plan->stratum_count, sizeof *moves, &ignored);
    if (layout_init(&d.layout, profile, plan, &ignored) == 0 && d.centre && d.error && moves) {
        ns = measure(&d, plan, seconds_per_unit * 1e9, half_width_s, moves);
        *half_width_s *= 1e-9;
    }
    layout_release(&d.layout);
    free(moves);
    free(d.error);
    free(d.centre);
    return ns * 1e-9;
}
