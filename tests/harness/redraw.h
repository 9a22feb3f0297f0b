/* tests/harness/redraw.h: a plan's samples drawn again and again on GPU designs that behave otherwise than the
 * profile: does the interval hold what it says?
 *
 * A design gives every launch a simulated value y (D22 of the methods reference: never score on the profile
 * alone). Strata and sizes come from the profile, draws from their own stream; estimate and interval are those of a
 * projection (sampling/estimator_aux.h). */
#ifndef VIVACE_TESTS_HARNESS_REDRAW_H
#define VIVACE_TESTS_HARNESS_REDRAW_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/strata.h"

enum design {
    DESIGN_PROFILE, /* y = x */
    DESIGN_OTHER,   /* another GPU: each kernel name scaled by its own factor of 0.5 to 2, each shape of it by
                     * another of 0.9 to 1.1; from seed, name and shape */
    DESIGN_NOISE_3, /* y = x (1 + noise): independent, normal, of this standard deviation, cut off at three of it */
    DESIGN_NOISE_10,
    DESIGN_NOISE_30,
    DESIGN_COUNT, /* those of the tables of bench/coverage */
    /* Populations unlike the profile, each launch on its own: */
    DESIGN_LOGNORMAL_3 = DESIGN_COUNT, /* y = x exp(noise): normal, of this standard deviation */
    DESIGN_LOGNORMAL_10,
    DESIGN_LOGNORMAL_30,
    DESIGN_SLOW_MODE,  /* 20 % of the launches take twice as long */
    DESIGN_FAST_MODE,  /* 30 % of the launches take half as long */
    DESIGN_HEAVY_TAIL, /* y = x exp(noise), of standard deviation 1: the slowest of 100 takes ten times the median
                        */
    DESIGN_NOISY_KERNELS, /* as noise 30 %, but of every third kernel name alone */
    DESIGN_ALL
};
extern const char *const design_names[DESIGN_ALL];

/* y of every launch; the caller frees it. */
double *design_make(const struct profile *p, enum design d, uint64_t seed, struct err *e);

/* A plan by `vivace` and the strata that plan_redraw() wants; both are the caller's to release, whatever comes. */
int design_plan(const struct profile *p, double error, struct strata *strata, struct plan *plan, struct err *e);
/* The same by all these parameters, the draws apart. */
int design_plan_by(const struct profile *p, const struct plan_params *params, struct strata *strata,
                   struct plan *plan, struct err *e);

struct redraw_params {
    double error, level; /* what the plan was asked for */
    uint64_t seed;
    unsigned repeats;
    const struct profile *p; /* whose strata they are: of a plan by ratio, its times */
};
struct redraw_score {  /* shares of the repeats */
    double within;     /* projections within `error` of the truth */
    double covered_t;  /* Satterthwaite's t intervals that hold the truth; NaN: no interval, single draws */
    double covered_z;  /* the same with the normal quantile and no noise floor */
    double kept;       /* within `error`, or within the interval stated */
    double half_width; /* median, as a share of the truth */
    double df;         /* median */
    double rmse;       /* of the projection, as a share of the truth */
};
/* `designs` values of y at once on the same draws; scores[designs]. */
int redraw(const struct strata *s, const double *const *y, size_t designs, size_t count,
           const struct redraw_params *params, struct redraw_score *scores, struct err *e);

/* What the plan's samples cost in expectation, each distinct launch once, as a share of all. */
double redraw_cost(const struct strata *s, const struct profile *p);

/* Sorts v; NaN where n is 0. */
double redraw_median(double *v, size_t n);

#endif
