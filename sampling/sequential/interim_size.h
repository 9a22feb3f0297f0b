/* sampling/sequential/interim_size.h: used by interim*.c only: data of one promise about its strata, and the sizes
 * that it needs.
 */
#ifndef VIVACE_SAMPLING_INTERIM_SIZE_H
#define VIVACE_SAMPLING_INTERIM_SIZE_H

#include "sampling/estimate/effective.h"
#include "sampling/estimate/gather.h"
#include "sampling/sequential/interim.h"

/* Fills s[h] for every stratum: population, pooled S, third moment, kurtosis, cost, and the present number of
 * results as least and n. Fills even[h] too. shapes as in interim_analyze(); costs: of one more sample, > 0. */
struct pooled {
    double excess, kurtosis; /* as in struct spread_model */
};
int pooled_strata(const struct plan *plan, const struct gathered *g, const struct interim_shape *shapes,
                  const double *costs, struct alloc_stratum *s, struct even_stratum *even, struct pooled *out,
                  struct err *e);

/* The minimum of planned degrees of freedom, as for plans. */
double interim_min_df(const struct plan *plan);

/* Requirements for the next analysis. */
struct interim_need {
    double wanted;   /* half-width, in the unit of the total */
    double now;      /* half-width used for the decision (interim_spread.c) / wanted */
    double level;    /* of the next analysis */
    double kurtosis; /* of the results */
    unsigned left;   /* analyses after that one */
};
/* Sizes s[].n, at least s[].least, so that the expected half-width equals the wanted one. */
int size_for(const struct plan *plan, struct alloc_stratum *s, const struct even_stratum *even, size_t count,
             const struct interim_need *need, struct err *e);
/* Minimises the half-width with the budget that is available beyond s[].least. */
int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e);

#endif
