/* sampling/cost_fit.h: what simulating a launch costs, from launches that were simulated.
 *
 *     seconds = fixed + per_unit * value,   both >= 0
 *
 * by relative least squares that outliers do not move (sampling/cost_solve.h). */
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
/* Points without time or with values below 0 are skipped; -1 with ERR_INVALID when fewer than two are left. */
int cost_fit(const struct cost_point *points, size_t count, struct cost_fit *out, struct err *e);

#endif
