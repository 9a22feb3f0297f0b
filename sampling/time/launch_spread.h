/* sampling/time/launch_spread.h: models how single launches deviate from their stratum's mean.
 *
 *     y = mean y (1 + b (x / mean x - 1)) (1 + S z)
 *
 * x: the profiled value. b: the slope within strata, common to all strata, shrunk towards 1 if there are few
 * results. b = 1: a launch that is slow in the profile is equally slow in the simulation; b = 0: differences in the
 * profile are noise. S: relative spread of a stratum around that, shrunk towards the common one. z: observed
 * deviations, pooled and scaled to mean 0 and variance 1. */
#ifndef VIVACE_SAMPLING_LAUNCH_SPREAD_H
#define VIVACE_SAMPLING_LAUNCH_SPREAD_H

#include "sampling/plan/plan.h"

struct launch_spread {
    double slope;
    double *spread; /* S, by stratum */
    double *pool;   /* z */
    size_t pool_count;
    double df;      /* degrees of freedom of S, weighted by time; 0: no observations */
    double results; /* effective number of results in strata not taken whole, weighted by time: (sum X)^2 / sum(X^2
                       / n), Kish's effective size; infinite if all are taken whole */
};

/* y: one value per plan sample, NaN: no result. The caller releases *out in every case. */
int launch_spread_make(const struct plan *plan, const double *y, struct launch_spread *out, struct err *e);
void launch_spread_release(struct launch_spread *s);

#endif
