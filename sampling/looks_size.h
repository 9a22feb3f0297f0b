/* sampling/looks_size.h: used by looks*.c only: data of one promise about its strata, and the sizes that it needs.
 */
#ifndef VIVACE_SAMPLING_LOOKS_SIZE_H
#define VIVACE_SAMPLING_LOOKS_SIZE_H

#include "sampling/effective.h"
#include "sampling/gather.h"
#include "sampling/looks.h"

/* Fills s[h] for every stratum: population, pooled S, third moment, kurtosis, cost, and the present number of
 * results as least and n. Fills even[h] too. shapes as in look_take(); costs: of one more sample, > 0. */
struct pooled {
    double excess, kurtosis; /* as in struct spread_model */
};
int pooled_strata(const struct plan *plan, const struct gathered *g, const struct look_shape *shapes,
                  const double *costs, struct alloc_stratum *s, struct even_stratum *even, struct pooled *out,
                  struct err *e);

/* The minimum of planned degrees of freedom, as for plans. */
double look_least_df(const struct plan *plan);

/* Requirements for the next look. */
struct look_need {
    double wanted;   /* half-width, in the unit of the total */
    double now;      /* half-width used for the decision (looks_stock.c) / wanted */
    double level;    /* of the next look */
    double kurtosis; /* of the results */
    unsigned left;   /* looks after that one */
};
/* Sizes s[].n, at least s[].least, so that the expected half-width equals the wanted one. */
int size_for(const struct plan *plan, struct alloc_stratum *s, const struct even_stratum *even, size_t count,
             const struct look_need *need, struct err *e);
/* Minimises the half-width with the budget that is available beyond s[].least. */
int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e);

#endif
