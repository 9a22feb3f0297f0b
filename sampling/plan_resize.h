/* sampling/plan_resize.h: the same plan with other numbers of samples, nested, and around launches that cannot be
 * done.
 *
 * A stratum's samples are the first n of its seeded permutation (strata.h), so a larger plan holds the smaller one.
 * Launches that cannot be done are skipped: the next of the permutation stand in for them. That is right where
 * what makes a launch fail has nothing to do with its time beyond its stratum; sampling/nonresponse.h says what if
 * not.
 */
#ifndef VIVACE_SAMPLING_PLAN_RESIZE_H
#define VIVACE_SAMPLING_PLAN_RESIZE_H

#include "sampling/looks.h"
#include "sampling/strata.h"

struct passed_over { /* launches that cannot be done, any order */
    const uint64_t *ids;
    size_t count;
};

/* *out: plan with n[h] samples of stratum h, made from its profile; n[h] between 1 and population less the
 * skipped ones (ERR_INVALID otherwise, naming the stratum). The strata are made again by the plan's method and must
 * be those of the plan, and its samples those of the same seed: ERR_INVALID when the profile or the version is
 * another. promised_error and planned_df stay those of the plan as it was made. */
int plan_resize(const struct plan *plan, const struct profile *p, const uint64_t *n, const struct passed_over *over,
                struct plan *out, struct err *e);

/* The steps of it, for who resizes the same strata again and again: s is what the method made. */
int plan_strata(const struct plan *plan, const struct profile *p, struct strata *s, struct err *e);
int plan_resize_strata(const struct plan *plan, const struct profile *p, const struct strata *s, const uint64_t *n,
                       const struct passed_over *over, enum rng_purpose purpose, struct plan *out, struct err *e);

/* Third moments and kurtosis of the strata, out[plan->stratum_count], for look_take(). */
void plan_shapes(const struct strata *s, struct look_shape *out);

#endif
