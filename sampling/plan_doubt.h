/* sampling/plan_doubt.h: what a plan expects to remain in doubt, from the plan alone: where the doubt sits, and
 * what one more sample would change.
 *
 * Stratum h: V_h = N_h (N_h - n_h) S_h^2 / n_h (with replacement N_h^2 S_h^2 / n_h), S_h what it was sized with
 * (plan_stratum.planned_sd), else the profile's. Degrees of freedom by Satterthwaite (Cochran 1977, ch. 5). Methods
 * may count more against a plan (tails, noise), so df here is at least what they planned with: use it for ratios.
 */
#ifndef VIVACE_SAMPLING_PLAN_DOUBT_H
#define VIVACE_SAMPLING_PLAN_DOUBT_H

#include "sampling/plan.h"

struct plan_doubt {
    double variance;   /* of the total */
    double half_width; /* of the total, at the plan's confidence; NaN where a stratum that varies has one sample */
    double df;
};
/* S_h of a stratum. */
double plan_stratum_sd(const struct plan_stratum *s);
/* V_h, had it n samples. */
double plan_stratum_variance(const struct plan *p, size_t h, uint64_t n);
/* Of the whole plan, had stratum `more` one sample more; SIZE_MAX: as it is. */
struct plan_doubt plan_doubt(const struct plan *p, size_t more);

#endif
