/* sampling/looks_size.h: inside of looks.c: what one promise knows of its strata, and the sizes it needs. */
#ifndef VIVACE_SAMPLING_LOOKS_SIZE_H
#define VIVACE_SAMPLING_LOOKS_SIZE_H

#include "sampling/gather.h"
#include "sampling/looks.h"

/* Fills s[h] for every stratum: population, pooled S, third moment and kurtosis, cost, and as least and n the
 * results there are. shapes as in look_take(); costs: of one more sample, > 0. */
void pooled_strata(const struct plan *plan, const struct gathered *g, const struct look_shape *shapes,
                   const double *costs, struct alloc_stratum *s);

/* Least planned degrees of freedom, as plans keep them. */
double look_least_df(const struct plan *plan);

/* Sizes s[].n, at least s[].least, such that the half-width is expected to be `wanted` at the level; where the
 * pooled variances already promise that, the least increment that helps. */
int size_for(const struct plan *plan, struct alloc_stratum *s, size_t count, double wanted, double level,
             struct err *e);
/* As narrow as what may be spent beyond s[].least pays for. */
int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e);

#endif
