#include "server/domain/plan/farm_cost.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/allocate/cost_fit.h"
#include "server/store/repo/repo_result.h"
#include "server/domain/plan/design_store.h"

/* Fits rows [from, to). */
static int fit(const struct db_rows *r, int from, int to, struct cost_fit *out, struct err *e)
{
    struct cost_point *points = mem_zalloc((size_t)(to - from) + 1, sizeof *points, e);
    int ret = -1;

    if (!points)
        return -1;
    for (int i = from; i < to; i++)
        points[i - from] = (struct cost_point){(double)db_get_u64(r, i, 0), db_get_double(r, i, 1)};
    ret = cost_fit(points, (size_t)(to - from), out, e);
    free(points);
    return ret;
}

int farm_cost(struct farm *farm, struct db *db, const char *profile, struct plan_params *params, struct err *e)
{
    const char *simulator = design_store_simulator(farm->designs);
    struct cost_fit f = {.used = 0};
    struct db_rows r;
    int ret;

    if (repo_result_costs(db, profile, simulator, &r, e) < 0)
        return -1;
    if (r.count < FARM_COST_MIN) {
        err_set(e, ERR_CONFLICT,
                "the farm has %d simulations by vivace-sim %.40s of profiles like this one; a cost model needs %d",
                r.count, simulator, FARM_COST_MIN);
        ret = err_hint(e, "Run a plan first, or give cost_fixed and cost_per_unit.");
    } else {
        ret = fit(&r, 0, r.count, &f, e);
    }
    if (ret == 0) {
        params->cost_fixed = f.fixed;
        params->cost_per_unit = f.per_unit;
    }
    db_rows_release(&r);
    return ret;
}

/* --- One fit for each design --- */

static int push_fit(json_t *items, const char *design, const struct cost_fit *f, struct err *e)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design);
    json_put_u64(&o, "simulations", f->used);
    json_put_double(&o, "fixed_s", f->fixed);
    json_put_double(&o, "per_unit_s", f->per_unit);
    json_put_double(&o, "typical_error", f->typical_error);
    return json_push(items, json_obj_end(&o)) < 0 ? err_no_memory(e) : 0;
}

static int fit_each(const struct db_rows *r, json_t *items, struct err *e)
{
    int ret = 0;

    for (int from = 0, to; ret == 0 && from < r->count; from = to) {
        struct cost_fit f;

        for (to = from; to < r->count && strcmp(db_get(r, to, 2), db_get(r, from, 2)) == 0;)
            to++;
        if (to - from < FARM_COST_MIN)
            continue;
        ret = fit(r, from, to, &f, e);
        if (ret == 0)
            ret = push_fit(items, db_get(r, from, 2), &f, e);
    }
    return ret;
}

int farm_cost_json(struct farm *farm, struct db *db, const char *profile, json_t **out, struct err *e)
{
    const char *simulator = design_store_simulator(farm->designs);
    struct json_obj o = json_obj_begin();
    json_t *items = json_array();
    struct db_rows r;
    int ret = repo_result_costs(db, profile, simulator, &r, e);

    if (ret == 0) {
        ret = fit_each(&r, items, e);
        db_rows_release(&r);
    }
    json_put_str(&o, "simulator", simulator);
    json_put(&o, "items", items);
    *out = json_obj_end(&o);
    if (ret < 0) {
        json_decref(*out);
        *out = NULL;
    }
    return ret;
}
