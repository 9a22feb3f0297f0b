/* server/api/handlers/comparisons.c: compares the designs of a run with one baseline design. All intervals hold
 * simultaneously. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/project/run_differences.h"

/* Designs are compared in seconds. NaN where the results are not times. */
static double seconds(const struct run_results *r, double x)
{
    return isnan(r->seconds_per_unit[0]) ? NAN : x;
}

static json_t *item(const struct run_results *r, const struct run_differences *all, size_t d)
{
    const struct comparison *t = &all->c.totals[d];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", r->designs[d].name);
    json_put_double(&o, "difference_s", seconds(r, t->difference));
    json_put_double(&o, "half_width_s", seconds(r, t->difference_half_width));
    json_put_double(&o, "ratio", t->ratio);
    json_put_double(&o, "ratio_half_width", t->ratio_half_width);
    json_put_double(&o, "df", isinf(t->df) ? NAN : t->df);
    level_put(&all->levels[d], &o);
    json_put_u64(&o, "paired_on", t->paired_on);
    json_put_bool(&o, "distinguishable", t->distinguishable);
    json_put_bool(&o, "cache_reversible", t->cache_reversible);
    json_put_u64(&o, "projected_inside", r->projected[d] + r->projected[all->c.baseline]);
    return json_obj_end(&o);
}

static json_t *kernel(const struct run_results *r, const struct comparisons *c, size_t d, size_t k)
{
    const struct kernel_comparison *t = &c->kernels[d * c->kernel_count + k];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", r->designs[d].name);
    json_put_str(&o, "kernel", t->kernel);
    json_put_u64(&o, "stratum", t->stratum);
    json_put_double(&o, "baseline_s", seconds(r, t->baseline));
    json_put_double(&o, "total_s", seconds(r, t->total));
    json_put_double(&o, "difference_s", seconds(r, t->difference));
    json_put_double(&o, "half_width_s", seconds(r, t->difference_half_width));
    json_put_double(&o, "ratio", t->ratio);
    json_put_double(&o, "ratio_half_width", t->ratio_half_width);
    json_put_bool(&o, "distinguishable", t->distinguishable);
    json_put_bool(&o, "cache_reversible", t->cache_reversible);
    return json_obj_end(&o);
}

static int put_lists(struct json_obj *o, const struct run_results *r, const struct run_differences *all,
                     bool kernels, struct err *e)
{
    const struct comparisons *c = &all->c;
    json_t *items = json_array(), *list = kernels ? json_array() : NULL;
    int ret = 0;

    for (size_t d = 0; d < c->design_count; d++) {
        if (d == c->baseline || c->totals[d].paired_on == 0)
            continue;
        ret |= json_push(items, item(r, all, d));
        for (size_t k = 0; kernels && k < c->kernel_count; k++)
            ret |= json_push(list, kernel(r, c, d, k));
    }
    json_put(o, "items", items);
    if (kernels)
        json_put(o, "kernels", list);
    return ret ? err_no_memory(e) : 0;
}

static int answer(struct db *db, const struct run_results *r, size_t baseline, bool kernels, struct reply *rep,
                  struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct run_differences d = {.levels = NULL};
    struct run_levels l = {.baseline = 0};
    json_t *shown = run_answer_json(db, r->run.id, e);
    int ret = !shown || run_levels_load(&l, db, r, NULL, e) < 0 || run_differences_make(&d, r, &l, baseline, e) < 0
                  ? -1
                  : 0;

    json_put_str(&o, "baseline", r->designs[baseline].name);
    json_put_double(&o, "level", r->run.confidence);
    json_put_str(&o, "rule", comparisons_rule);
    json_put(&o, "answer", shown ? shown : json_null());
    if (ret == 0)
        ret = put_lists(&o, r, &d, kernels, e);
    run_differences_release(&d);
    run_levels_release(&l);
    if (ret == 0)
        return reply_json(rep, 200, json_obj_end(&o), e);
    json_decref(json_obj_end(&o));
    return -1;
}

/* GET /runs/{run}/compare?baseline=h100&kernels=true */
int run_compare_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *kernels = request_query(req, "kernels");
    struct run_results r = {.design_count = 0};
    struct run_row run;
    size_t baseline = 0;
    int ret;

    (void)app;
    if (kernels && strcmp(kernels, "true") != 0 && strcmp(kernels, "false") != 0)
        return err_set(e, ERR_INVALID, "`kernels` must be true or false");
    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    ret = run_results_load(&r, db, &run, RUN_RESULTS_SHOWN, e);
    if (ret == 0)
        ret = run_design_find(&r, request_query(req, "baseline"), &baseline, e);
    if (ret == 0)
        ret = answer(db, &r, baseline, kernels && *kernels == 't', rep, e);
    run_results_release(&r);
    return ret;
}
