/* sampling/plan/plan_doubt.h: the expected variance of a plan, from the plan alone: the contribution of each
 * stratum, and the effect of one more sample.
 *
 * Stratum h: V_h = N_h (N_h - n_h) S_h^2 / n_h (with replacement N_h^2 S_h^2 / n_h), where S_h is the planned
 * spread (plan_stratum.planned_sd), or else that of the profile. Degrees of freedom by Satterthwaite (Cochran 1977,
 * ch. 5). Methods may include more (tails, noise), so df here is at least their planned one. Use the results for
 * comparisons. */
#ifndef VIVACE_SAMPLING_PLAN_DOUBT_H
#define VIVACE_SAMPLING_PLAN_DOUBT_H

#include "sampling/plan/plan.h"

struct plan_doubt {
    double variance;   /* of the total */
    double half_width; /* of the total, at the plan's confidence; NaN where a stratum that varies has one sample */
    double df;
};
/* The S_h of a stratum. */
double plan_stratum_sd(const struct plan_stratum *s);
/* V_h of stratum h with n samples. */
double plan_stratum_variance(const struct plan *p, size_t h, uint64_t n);
/* The values for the whole plan, with one more sample in stratum `more`; SIZE_MAX: without a change. */
struct plan_doubt plan_doubt(const struct plan *p, size_t more);

#endif
