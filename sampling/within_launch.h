/* sampling/within_launch.h: results that are projected inside their launches, each with a standard error.
 *
 * Two-stage sampling: launches are drawn, and of a drawn launch only a part is simulated. The error of a total has
 * a part between launches, from the results as they are, and a part within (Cochran, Sampling Techniques, 3rd ed.
 * 1977, section 11.8). His second term, N_h / n_h times the sum of the launches' variances, takes errors of
 * different launches to be independent and drawn anew each time. These are neither: one rule makes them, launches
 * of a kernel are alike, and the same launch is off by the same when it is drawn again. So they are a bias of
 * unknown sign, bounded by their intervals, and a bias that is added in quadrature leaves too many intervals beside
 * the truth (section 1.8: at 1.5 standard errors 32 % instead of 5 %). It is added as it is:
 *
 *     t sqrt(V_between) + z W,     W = |total(y + error) - total(y)|
 *
 * W takes the errors of all launches to have one sign, and is never less than the root of Cochran's term. It is
 * exact for any estimator that is linear in the results. On different designs the sign may differ: a difference
 * between two has z sqrt(W_a^2 + W_b^2) in its place. */
#ifndef VIVACE_SAMPLING_WITHIN_LAUNCH_H
#define VIVACE_SAMPLING_WITHIN_LAUNCH_H

#include "sampling/comparisons.h"

/* error[i]: standard error of y[i], in its unit; 0: simulated whole; NaN: projected, and the error is not known. */

/* Adds o->error to a projection of the same y and options: what projection_make_with() ends with. Where one is not
 * known, the interval is not. */
int within_launch_add(const struct plan *plan, const double *y, const struct projection_options *o,
                      struct projection *p, struct err *e);
/* W, by the plan's estimator; 0 where all are whole or a stratum has no result. error NULL: all whole. */
int within_launch_error(const struct plan *plan, const double *y, const double *error, double *out, struct err *e);
/* The same of a comparison of b against a; errors NULL: all whole. */
int within_launch_compare(const struct plan *plan, const double *const y[2], const double *const error[2],
                          struct comparison *c, struct err *e);
/* The same for several designs, in total and by kernel; error: one per design. */
int within_launch_compare_all(const struct plan *plan, const double *const *y, const double *const *error,
                              struct comparisons *c, struct err *e);
/* Is one of the n above 0, or not known? NULL: no. */
bool within_launch_any(const double *error, size_t n);

#endif
