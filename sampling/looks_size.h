/* sampling/looks_size.h: inside of looks*.c: what one promise knows of its strata, and the sizes it needs. */
#ifndef VIVACE_SAMPLING_LOOKS_SIZE_H
#define VIVACE_SAMPLING_LOOKS_SIZE_H

#include "sampling/effective.h"
#include "sampling/gather.h"
#include "sampling/looks.h"

/* Fills s[h] for every stratum: population, pooled S, third moment and kurtosis, cost, and as least and n the
 * results there are; and even[h]. shapes as in look_take(); costs: of one more sample, > 0. */
struct pooled {
    double excess, kurtosis; /* as in struct spread_model */
};
int pooled_strata(const struct plan *plan, const struct gathered *g, const struct look_shape *shapes,
                  const double *costs, struct alloc_stratum *s, struct even_stratum *even, struct pooled *out,
                  struct err *e);

/* Least planned degrees of freedom, as plans keep them. */
double look_least_df(const struct plan *plan);

/* What the next look is to bring. */
struct look_need {
    double wanted;   /* half-width, in the unit of the total */
    double now;      /* half-width as it counts (looks_stock.c) / wanted */
    double level;    /* of the next look */
    double kurtosis; /* of the results */
    unsigned left;   /* looks after that one */
};
/* Sizes s[].n, at least s[].least, such that the half-width is expected to be what is wanted. */
int size_for(const struct plan *plan, struct alloc_stratum *s, const struct even_stratum *even, size_t count,
             const struct look_need *need, struct err *e);
/* As narrow as what may be spent beyond s[].least pays for. */
int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e);

#endif
