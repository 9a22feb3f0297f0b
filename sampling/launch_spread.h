/* sampling/launch_spread.h: how single launches differ from what their stratum's mean says, by its results.
 *
 *     y = mean y (1 + b (x / mean x - 1)) (1 + S z)
 *
 * x: the profiled value. b: the slope within strata, common to all, drawn to 1 where results say little: 1 where a
 * launch that was slow in the profile is as slow in the simulation, 0 where the profile's differences are its own
 * noise. S: relative spread around that, of a stratum, drawn to the common one. z: deviations that were seen,
 * pooled and scaled to mean 0 and variance 1. */
#ifndef VIVACE_SAMPLING_LAUNCH_SPREAD_H
#define VIVACE_SAMPLING_LAUNCH_SPREAD_H

#include "sampling/plan.h"

struct launch_spread {
    double slope;
    double *spread; /* S, by stratum */
    double *pool;   /* z */
    size_t pool_count;
    double df;      /* degrees of freedom of S where the time is; 0: nothing was seen */
    double results; /* how many there are where the time is, of strata not taken whole: (sum X)^2 / sum(X^2 / n),
                     * Kish's effective size; infinite where all are */
};

/* y: one value a plan sample, NaN: no result. To be released in any case. */
int launch_spread_make(const struct plan *plan, const double *y, struct launch_spread *out, struct err *e);
void launch_spread_release(struct launch_spread *s);

#endif
