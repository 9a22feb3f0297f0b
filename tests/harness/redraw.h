/* tests/harness/redraw.h: draws a plan's samples repeatedly, on GPU designs that differ from the profile, and
 * measures how often the interval covers the truth.
 *
 * A design gives every launch a simulated value y. (D22 of the methods reference: never score on the profile
 * alone.) Strata and sizes come from the profile; draws use a random stream of their own. Estimate and interval are
 * those of a projection (sampling/estimate/estimator_aux.h). */
#ifndef VIVACE_TESTS_HARNESS_REDRAW_H
#define VIVACE_TESTS_HARNESS_REDRAW_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/plan/strata.h"

enum design {
    DESIGN_PROFILE, /* y = x */
    DESIGN_OTHER,   /* another GPU: a factor of 0.5 to 2 for each kernel name, times a factor of 0.9 to 1.1 for
                     * each of its shapes; from seed, name and shape */
    DESIGN_NOISE_3, /* y = x (1 + noise): independent, normal, standard deviation 3 %, truncated at three of it */
    DESIGN_NOISE_10,
    DESIGN_NOISE_30,
    DESIGN_COUNT, /* number of designs in the tables of bench/coverage */
    /* Populations unlike the profile; the factor of each launch is independent: */
    DESIGN_LOGNORMAL_3 = DESIGN_COUNT, /* y = x exp(noise): normal, standard deviation 3 % */
    DESIGN_LOGNORMAL_10,
    DESIGN_LOGNORMAL_30,
    DESIGN_SLOW_MODE,     /* 20 % of the launches take twice as long */
    DESIGN_FAST_MODE,     /* 30 % of the launches take half as long */
    DESIGN_HEAVY_TAIL,    /* y = x exp(noise), standard deviation 1: the slowest of 100 takes 10 times the median */
    DESIGN_NOISY_KERNELS, /* noise of 30 % on every third kernel name only */
    DESIGN_ALL
};
extern const char *const design_names[DESIGN_ALL];

/* y of every launch; the caller frees it. */
double *design_make(const struct profile *p, enum design d, uint64_t seed, struct err *e);

/* Makes a plan by method `vivace`, and its strata for redraw(). The caller releases both, also after an error. */
int design_plan(const struct profile *p, double error, struct strata *strata, struct plan *plan, struct err *e);
/* The same with all these parameters, except those of the draws. */
int design_plan_by(const struct profile *p, const struct plan_params *params, struct strata *strata,
                   struct plan *plan, struct err *e);

struct redraw_params {
    double error, level; /* as requested for the plan */
    uint64_t seed;
    unsigned repeats;
    const struct profile *p; /* the profile of the strata; a plan by ratio uses its times */
};
struct redraw_score {  /* shares of the repeats */
    double within;     /* draws whose projection is within `error` of the truth */
    double covered_t;  /* Satterthwaite's t intervals that cover the truth; NaN: no interval (single draws) */
    double covered_z;  /* the same with the normal quantile and no noise floor */
    double kept;       /* draws whose projection is within `error`, or within the reported interval */
    double half_width; /* median, as a share of the truth */
    double df;         /* median */
    double rmse;       /* of the projection, as a share of the truth */
};
/* Scores several designs on the same draws: y[designs], scores[designs]. */
int redraw(const struct strata *s, const double *const *y, size_t designs, size_t count,
           const struct redraw_params *params, struct redraw_score *scores, struct err *e);

/* Expected cost of the plan's samples: each distinct launch counts once, as a share of the total. */
double redraw_cost(const struct strata *s, const struct profile *p);

/* The median; sorts v. NaN where n is 0. */
double redraw_median(double *v, size_t n);

#endif
