/* sampling/allocate/cost_fit.h: fits the cost of simulating a launch to simulated launches.
 *
 *     seconds = fixed + per_unit * value,   both >= 0
 *
 * by robust relative least squares (sampling/allocate/cost_solve.h). */
#ifndef VIVACE_SAMPLING_COST_FIT_H
#define VIVACE_SAMPLING_COST_FIT_H

#include <stddef.h>

#include "base/err.h"

struct cost_point {
    double value;   /* of the planning variable: ns, warp instructions */
    double seconds; /* duration of its simulation; > 0 */
};
struct cost_fit {
    double fixed, per_unit; /* cost_fixed and cost_per_unit of struct plan_params */
    double typical_error;   /* median of |fitted - measured| / measured */
    size_t used;            /* points with a time above 0 */
};
/* Points without time or with values below 0 are skipped; -1 with ERR_INVALID when fewer than two are left. */
int cost_fit(const struct cost_point *points, size_t count, struct cost_fit *out, struct err *e);

#endif
