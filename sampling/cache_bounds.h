/* sampling/cache_bounds.h: launches of which it is not known what earlier ones left in the caches.
 *
 * Such a launch is simulated twice: with empty caches, and fully warm (struct sim_result, cycles_warm_bound). Its
 * cycles are taken to be between the two. Each launch has a state of its own, so the smallest total has the smaller
 * value of each launch, and the largest the larger ones. A difference is distinguishable where in each of the four
 * combinations of these totals it has the same sign, and its interval does not contain zero. */
#ifndef VIVACE_SAMPLING_CACHE_BOUNDS_H
#define VIVACE_SAMPLING_CACHE_BOUNDS_H

#include "sampling/comparisons.h"

/* Of a plan's samples, as for projection_make(). */
struct bounded_values {
    const double *empty; /* with empty caches, or in a known state; NaN: no result yet */
    const double *warm;  /* fully warm; in a known state the same value; NaN beside a result: not known */
    const double *error; /* standard errors of values projected inside their launches (sampling/within_launch.h);
                            NULL: all are whole */
};

/* The total if all such launches were fully warm, and what both intervals cover together. */
struct warm_bound {
    double value, half_width; /* as in struct projection */
    double low, high;         /* from the lowest to the highest end of the two intervals; NaN: one is not known */
};
/* `empty`: made of the same options. 1; 0 with NaN: the warm value of a launch is not known. */
int warm_bound_make(const struct plan *plan, const struct bounded_values *v, const struct projection_options *o,
                    const struct projection *empty, struct warm_bound *out, struct err *e);

/* Where the bound allows that *c, b against a of the same samples, is reversed: cache_reversible, and no longer
 * distinguishable. So too where a warm value is not known. */
int cache_bounds_check(const struct plan *plan, const struct bounded_values *a, const struct bounded_values *b,
                       struct comparison *c, struct err *e);
/* The same for several designs, in total and by kernel. v: one per design, what *c was made of. */
int cache_bounds_check_all(const struct plan *plan, const struct bounded_values *v, struct comparisons *c,
                           struct err *e);

/* The same for totals of two plans. Every value times `scale`; level: of the projections. */
struct bounded_total {
    const struct plan *plan;
    struct bounded_values values;
    double scale, level;
};
int cache_bounds_check_unpaired(const struct bounded_total *a, const struct bounded_total *b, struct comparison *c,
                                struct err *e);

#endif
