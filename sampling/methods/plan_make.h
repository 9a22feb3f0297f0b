/* sampling/methods/plan_make.h: the steps of plan_make() (methods.c), for evaluate.c, which draws the same strata
 * repeatedly. */
#ifndef VIVACE_SAMPLING_PLAN_MAKE_H
#define VIVACE_SAMPLING_PLAN_MAKE_H

#include "sampling/plan/plan.h"
#include "sampling/plan/strata.h"

/* Makes the whole plan except the profile's hash. On -1 *out is released. */
int plan_from_strata(const struct method *m, const struct profile *p, const struct plan_params *params,
                     const struct strata *s, enum rng_purpose purpose, struct plan *out, struct err *e);
/* Makes the whole plan with the draws of its seed, and checks it. On -1 *out is released. */
int plan_complete(const struct method *m, const struct profile *p, const struct plan_params *params,
                  const struct strata *s, struct plan *out, struct err *e);
/* Draws other samples from the same strata with another seed; everything else stays unchanged. */
int plan_redraw(struct plan *plan, const struct profile *p, const struct strata *s, uint64_t seed,
                enum rng_purpose purpose, struct err *e);

#endif
