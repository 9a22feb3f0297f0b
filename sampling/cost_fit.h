/* sampling/cost_fit.h: what simulating a launch costs, from launches that were simulated.
 *
 *     seconds = fixed + per_unit * value,   both >= 0
 *
 * by least squares of relative residuals: a simulation of an hour is not known to the second that one of a minute
 * is. Two unknowns that must not be negative have at most one on its bound, so the non-negative optimum is the best
 * of three closed forms (Lawson and Hanson, Solving Least Squares Problems, 1974, ch. 23, for two columns).
 * Outliers (a machine that swapped) count less: Huber's weights, residuals in units of 1.4826 times their median,
 * at 1.345 (Huber, Annals of Mathematical Statistics 35, 1964), repeated. */
#ifndef VIVACE_SAMPLING_COST_FIT_H
#define VIVACE_SAMPLING_COST_FIT_H

#include <stddef.h>

#include "base/err.h"

struct cost_point {
    double value;   /* of the planning variable: ns, warp instructions */
    double seconds; /* that its simulation took; > 0 */
};
struct cost_fit {
    double fixed, per_unit; /* as struct plan_params wants them */
    double typical_error;   /* median of |fitted - measured| / measured */
    size_t used;            /* points with a time above 0 */
};
/* Points without time or with values below 0 are passed over; -1 with ERR_INVALID when fewer than two are left. */
int cost_fit(const struct cost_point *points, size_t count, struct cost_fit *out, struct err *e);

#endif
