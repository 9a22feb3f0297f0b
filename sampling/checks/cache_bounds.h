/* sampling/checks/cache_bounds.h: bounds for launches whose initial cache contents are unknown.
 *
 * Such a launch is simulated twice: with empty caches, and fully warm (struct sim_result, cycles_warm_bound). Its
 * cycles are assumed to be between the two. The cache state of each launch may differ, so the smallest total uses
 * the smaller value of each launch, and the largest total the larger values. A difference is distinguishable if in
 * all four combinations of these totals it has the same sign and its interval does not contain zero. */
#ifndef VIVACE_SAMPLING_CACHE_BOUNDS_H
#define VIVACE_SAMPLING_CACHE_BOUNDS_H

#include "sampling/estimate/comparisons.h"

/* Values of a plan's samples, in the order that projection_make() expects. */
struct bounded_values {
    const double *empty; /* with empty caches, or in a known state; NaN: no result yet */
    const double
        *warm; /* with fully warm caches; equal to `empty` in a known state; NaN with a result: not known */
    const double *error; /* standard errors of values projected inside their launches
                            (sampling/estimate/within_launch.h); NULL: all launches were simulated completely */
};

/* The smaller and the larger value of each sample. */
#define CACHE_ENDS 2
struct cache_ends {
    double *of[CACHE_ENDS];
    const double *error; /* as in struct bounded_values */
    bool bounded;        /* two values differ */
    bool unknown;        /* a result has no warm value */
};
/* n: samples. The caller releases *out, also after a failure. */
int cache_ends_make(const struct bounded_values *v, size_t n, struct cache_ends *out, struct err *e);
void cache_ends_release(struct cache_ends *x);

/* The total if all such launches were fully warm, and the range that both intervals cover together. */
struct warm_bound {
    double value, half_width; /* as in struct projection */
    double low, high; /* the lowest and the highest end of the two intervals; NaN if one interval is unknown */
};
/* `empty`: the projection with the same options. Returns 1; 0 and NaN if the warm value of a launch is unknown; -1
 * on error. */
int warm_bound_make(const struct plan *plan, const struct bounded_values *v, const struct projection_options *o,
                    const struct projection *empty, struct warm_bound *out, struct err *e);

/* Checks *c, the comparison of b with a over the same samples. If the bounds allow the opposite sign, or a warm
 * value is unknown, sets cache_reversible and clears distinguishable. */
int cache_bounds_check(const struct plan *plan, const struct bounded_values *a, const struct bounded_values *b,
                       struct comparison *c, struct err *e);
/* As cache_bounds_check(), for several designs, in total and by kernel. v: one per design, the values from which *c
 * was made. */
int cache_bounds_check_all(const struct plan *plan, const struct bounded_values *v, struct comparisons *c,
                           struct err *e);

/* As cache_bounds_check(), for totals of two plans. `scale` multiplies every value; level: that of the projections.
 */
struct bounded_total {
    const struct plan *plan;
    struct bounded_values values;
    double scale, level;
};
int cache_bounds_check_unpaired(const struct bounded_total *a, const struct bounded_total *b, struct comparison *c,
                                struct err *e);

#endif
