/* sampling/estimate/within_launch.h: the error of results that are projected inside their launches, each with a
 * standard error.
 *
 * Two-stage sampling: launches are drawn, and of a drawn launch only a part is simulated. The error of a total has
 * a part between launches, computed from the results, and a part within launches (Cochran, Sampling Techniques, 3rd
 * ed. 1977, section 11.8). His second term, N_h / n_h times the sum of the launches' variances, assumes that errors
 * of different launches are independent and random. These are not: they come from one extrapolation rule, launches
 * of a kernel are similar, and the same launch has the same error when it is drawn again. So they are a bias of
 * unknown sign, bounded by their intervals. A bias added in quadrature lowers the coverage too much (section 1.8: a
 * bias of 1.5 standard errors gives 32 % misses instead of 5 %), so it is added linearly:
 *
 *     t sqrt(V_between) + z W,     W = |total(y + error) - total(y)|
 *
 * W assumes that the errors of all launches have the same sign; it is never less than the root of Cochran's term.
 * It is exact for estimators that are linear in the results. On two designs the signs may differ, so a difference
 * has the term z sqrt(W_a^2 + W_b^2) instead. */
#ifndef VIVACE_SAMPLING_WITHIN_LAUNCH_H
#define VIVACE_SAMPLING_WITHIN_LAUNCH_H

#include "sampling/estimate/comparisons.h"

/* error[i]: standard error of y[i], in its unit; 0: simulated whole; NaN: projected, and the error is not known. */

/* Adds o->error to a projection of the same y and options; the last step of projection_make_with(). If one error is
 * unknown, the interval becomes unknown. */
int within_launch_add(const struct plan *plan, const double *y, const struct projection_options *o,
                      struct projection *p, struct err *e);
/* W, by the plan's estimator; 0 if all launches were simulated completely or a stratum has no result. error NULL:
 * all complete. */
int within_launch_error(const struct plan *plan, const double *y, const double *error, double *out, struct err *e);
/* Adds the errors to a comparison of b with a. error[d] NULL: all launches on design d were simulated completely.
 */
int within_launch_compare(const struct plan *plan, const double *const y[2], const double *const error[2],
                          struct comparison *c, struct err *e);
/* As within_launch_compare(), for several designs, in total and by kernel. error: one per design. */
int within_launch_compare_all(const struct plan *plan, const double *const *y, const double *const *error,
                              struct comparisons *c, struct err *e);
/* Whether one of the n errors is above 0 or unknown. NULL: false. */
bool within_launch_any(const double *error, size_t n);

#endif
