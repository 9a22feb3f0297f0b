/* seconds = fixed + per_unit value; formula, sources: cost_fit.h, cost_solve.h. */
#include "sampling/allocate/cost_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/allocate/cost_solve.h"

int cost_fit(const struct cost_point *points, size_t count, struct cost_fit *out, struct err *e)
{
    struct cost_row *rows = mem_zalloc(count, sizeof *rows, e);
    double by[COST_COLUMNS];
    int ret = -1;

    *out = (struct cost_fit){0};
    for (size_t i = 0; rows && i < count; i++)
        if (points[i].seconds > 0 && isfinite(points[i].seconds) && points[i].value >= 0 &&
            isfinite(points[i].value))
            rows[out->used++] = (struct cost_row){{1, points[i].value}, points[i].seconds};
    if (rows && out->used < 2)
        err_set(
            e, ERR_INVALID,
            "the cost of a simulation cannot be fitted: %zu simulations have a time, and at least two are needed",
            out->used);
    else if (rows)
        ret = cost_solve(rows, out->used, by, &out->typical_error, e);
    if (ret == 0) {
        ASSERT(!(by[0] < 0) && !(by[1] < 0) && out->used <= count);
        out->fixed = by[0];
        out->per_unit = by[1];
    }
    free(rows);
    return ret;
}
