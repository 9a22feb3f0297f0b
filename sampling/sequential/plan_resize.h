/* sampling/sequential/plan_resize.h: changes the sample sizes of a plan (nested samples) and skips launches that
 * cannot be simulated.
 *
 * A stratum's samples are the first n of its seeded permutation (strata.h), so a larger plan contains the smaller
 * one. Launches that cannot be simulated are skipped: the next launches of the permutation replace them. The
 * estimate stays unbiased if, within a stratum, failure does not depend on the launch's time;
 * sampling/checks/nonresponse.h estimates the error otherwise. */
#ifndef VIVACE_SAMPLING_PLAN_RESIZE_H
#define VIVACE_SAMPLING_PLAN_RESIZE_H

#include "sampling/sequential/interim.h"
#include "sampling/plan/strata.h"

struct skipped_launches { /* launches that cannot be simulated, in any order */
    const uint64_t *ids;
    size_t count;
};

/* *out: plan with n[h] samples of stratum h, made from its profile; n[h] between 1 and population less the skipped
 * ones (ERR_INVALID otherwise, naming the stratum). The strata are made again by the plan's method and must be
 * those of the plan, and its samples those of the same seed: ERR_INVALID if the profile or the version differs.
 * promised_error and planned_df are not changed. */
int plan_resize(const struct plan *plan, const struct profile *p, const uint64_t *n,
                const struct skipped_launches *over, struct plan *out, struct err *e);

/* The steps of plan_resize(), for callers that resize the same strata repeatedly. s: the strata made by the method.
 */
int plan_strata(const struct plan *plan, const struct profile *p, struct strata *s, struct err *e);
int plan_resize_strata(const struct plan *plan, const struct profile *p, const struct strata *s, const uint64_t *n,
                       const struct skipped_launches *over, enum rng_purpose purpose, struct plan *out,
                       struct err *e);

/* Third moments and kurtosis of the strata, out[plan->stratum_count], for interim_analyze(). */
void plan_shapes(const struct strata *s, struct interim_shape *out);

#endif
