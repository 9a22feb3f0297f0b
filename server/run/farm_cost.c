#include "server/run/farm_cost.h"

#include <stdlib.h>

#include "base/array.h"
#include "sampling/cost_fit.h"
#include "server/db/repo_result.h"
#include "server/run/design_store.h"

static int fit(const struct db_rows *r, struct plan_params *params, struct err *e)
{
    struct cost_point *points = mem_zalloc((size_t)r->count, sizeof *points, e);
    struct cost_fit f;
    int ret = points ? 0 : -1;

    for (int i = 0; ret == 0 && i < r->count; i++)
        points[i] = (struct cost_point){(double)db_get_u64(r, i, 0), db_get_double(r, i, 1)};
    if (ret == 0)
        ret = cost_fit(points, (size_t)r->count, &f, e);
    if (ret == 0) {
        params->cost_fixed = f.fixed;
        params->cost_per_unit = f.per_unit;
    }
    free(points);
    return ret;
}

int farm_cost(struct app *app, struct db *db, const char *profile, struct plan_params *params, struct err *e)
{
    const char *simulator = design_store_simulator(app->designs);
    struct db_rows r;
    int ret;

    if (repo_result_costs(db, profile, simulator, &r, e) < 0)
        return -1;
    if (r.count < FARM_COST_LEAST) {
        err_set(e, ERR_CONFLICT,
                "the farm's log has %d simulations by vivace-sim %.40s on profiles like this one, and a cost model "
                "takes %d",
                r.count, simulator, FARM_COST_LEAST);
        ret = err_hint(e, "Run a plan first, or give cost_fixed and cost_per_unit.");
    } else {
        ret = fit(&r, params, e);
    }
    db_rows_release(&r);
    return ret;
}
