#include "server/run/run_results.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/db/repo_plan.h"

static double seconds_per_unit(const struct run_results *r, size_t design)
{
    if (r->run.engine == ENGINE_CYCLE)
        return 1 / r->designs[design].clock_hz; /* NaN stays NaN */
    return r->plan.unit == PROFILE_NS ? 1e-9 : NAN;
}

int run_results_load(struct run_results *out, struct db *db, const struct run_row *run, struct err *e)
{
    *out = (struct run_results){.run = *run};
    plan_init(&out->plan);
    if (repo_plan_load(db, run->plan, &out->plan, e) < 0 ||
        repo_projection_designs(db, run->id, &out->designs, &out->design_count, e) < 0)
        return -1;
    out->y = mem_zalloc(out->design_count * out->plan.sample_count + 1, sizeof *out->y, e);
    out->seconds_per_unit = mem_zalloc(out->design_count + 1, sizeof *out->seconds_per_unit, e);
    out->empty_caches = mem_zalloc(out->design_count + 1, sizeof *out->empty_caches, e);
    out->warm = mem_zalloc(out->design_count * out->plan.sample_count + 1, sizeof *out->warm, e);
    if (!out->y || !out->warm || !out->seconds_per_unit || !out->empty_caches)
        return -1;
    for (size_t i = 0; i < out->design_count; i++)
        out->seconds_per_unit[i] = seconds_per_unit(out, i);
    return repo_projection_values(db, run->id, out->design_count, out->plan.sample_count, out->y, out->warm,
                                  out->empty_caches, e);
}

void run_results_release(struct run_results *r)
{
    plan_release(&r->plan);
    free(r->designs);
    free(r->y);
    free(r->warm);
    free(r->seconds_per_unit);
    free(r->empty_caches);
}

const char *run_results_unit(const struct run_results *r)
{
    return r->run.engine == ENGINE_CYCLE ? "cycles" : profile_unit_name(r->plan.unit);
}

const double *run_results_of(const struct run_results *r, size_t design)
{
    return r->y + design * r->plan.sample_count;
}

struct bounded_values run_results_bounded(const struct run_results *r, size_t design)
{
    return (struct bounded_values){run_results_of(r, design), r->warm + design * r->plan.sample_count};
}

double run_results_kappa(const struct run_results *r, size_t design, double kappa)
{
    if (r->run.engine == ENGINE_REPLAY) /* the profiled values themselves */
        return kappa > 0 ? kappa : 1;
    if (r->plan.unit != PROFILE_NS)
        return kappa;
    return isnan(r->seconds_per_unit[design]) ? 0 : (kappa > 0 ? kappa : 1) * r->designs[design].clock_hz * 1e-9;
}

/* of: of all designs. */
static double *in_seconds(const struct run_results *r, const double *of, const double **y, struct err *e)
{
    size_t n = r->plan.sample_count;
    double *all = mem_zalloc(r->design_count * n + 1, sizeof *all, e);

    for (size_t d = 0; all && d < r->design_count; d++) {
        double scale = isnan(r->seconds_per_unit[d]) ? 1 : r->seconds_per_unit[d];

        y[d] = all + d * n;
        for (size_t i = 0; i < n; i++)
            all[d * n + i] = scale * of[d * n + i];
    }
    return all;
}

double *run_results_seconds(const struct run_results *r, const double **y, struct err *e)
{
    return in_seconds(r, r->y, y, e);
}

static bool any_empty(const struct run_results *r)
{
    uint64_t empty = 0;

    for (size_t d = 0; d < r->design_count; d++)
        empty += r->empty_caches[d];
    return empty > 0;
}

int run_results_mark_indistinguishable(const struct run_results *r, struct comparisons *c, struct err *e)
{
    size_t n = c->design_count;
    const double **y;
    struct bounded_values *v;
    double *empty, *warm;
    int ret = -1;

    if (!any_empty(r) || n == 0)
        return 0;
    y = mem_zalloc(2 * n, sizeof *y, e);
    v = mem_zalloc(n, sizeof *v, e);
    empty = y ? in_seconds(r, r->y, y, e) : NULL;
    warm = y ? in_seconds(r, r->warm, y + n, e) : NULL;
    if (v && empty && warm) {
        for (size_t d = 0; d < n; d++)
            v[d] = (struct bounded_values){y[d], y[n + d]};
        ret = cache_bounds_check_all(&r->plan, v, c, e);
    }
    free(y);
    free(v);
    free(empty);
    free(warm);
    return ret;
}
