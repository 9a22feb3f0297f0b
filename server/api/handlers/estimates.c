/* server/api/handlers/estimates.c: estimates from a run's results by another estimator, with collapsed strata or
 * with a bootstrap; also totals and rates of the simulator's counters. Each request computes them again.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/project/run_differences.h"
#include "wire/metrics.h"
#include "wire/projection_json.h"

struct question {
    struct projection_options options; /* kappa as requested */
    bool bootstrap, opinions;
};

static int query_flag(const struct request *req, const char *name, bool *out, struct err *e)
{
    const char *text = request_query(req, name);

    *out = text && strcmp(text, "true") == 0;
    return !text || *out || strcmp(text, "false") == 0
               ? 0
               : err_set(e, ERR_INVALID, "`%s` must be true or false", name);
}

static int query_kappa(const struct request *req, double *out, struct err *e)
{
    const char *text = request_query(req, "kappa");
    char *end;

    if (!text)
        return 0;
    *out = strtod(text, &end);
    return *text && !*end && *out > 0 && *out <= 1e9 ? 0
                                                     : err_set(e, ERR_INVALID, "`kappa` must be a positive number");
}

static int read_question(const struct request *req, struct question *q, struct err *e)
{
    const char *name = request_query(req, "estimator");

    *q = (struct question){.bootstrap = false};
    if (name && projection_estimator_from_name(name, &q->options.estimator, e) < 0)
        return -1;
    return query_kappa(req, &q->options.kappa, e) < 0 || query_flag(req, "collapse", &q->options.collapse, e) < 0 ||
                   query_flag(req, "bootstrap", &q->bootstrap, e) < 0 ||
                   query_flag(req, "opinions", &q->opinions, e) < 0
               ? -1
               : 0;
}

static int load(struct db *db, const struct request *req, struct run_results *r, struct err *e)
{
    struct run_row run;

    return run_of_request(db, req, &run, e) < 0 || run_results_load(r, db, &run, RUN_RESULTS_SHOWN, e) < 0 ? -1 : 0;
}

/* Returns {"run":…,"designs":[…], …}. Takes ownership of `designs`. */
static json_t *answer(const struct run_results *r, json_t *designs)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "run", r->run.id);
    json_put_str(&o, "state", r->run.state);
    json_put(&o, "designs", designs);
    json_put(&o, "not_covered", not_covered_to_json());
    return json_obj_end(&o);
}

/* --- GET /runs/{run}/estimate?estimator=ratio&bootstrap=true&opinions=true --- */

/* The value of each estimator for the same results, and whether the estimators disagree. */
static int put_opinions(const struct run_results *r, size_t d, const struct projection_options *options,
                        const struct projection *p, struct json_obj *o, struct err *e)
{
    struct opinions x;

    if (opinions_make(&r->plan, run_results_of(r, d), options, p, &x, e) < 0)
        return -1;
    json_put(o, "opinions", opinions_to_json(&x, r->seconds_per_unit[d]));
    return 0;
}

static int estimate_design(const struct run_results *r, const struct question *q, size_t d,
                           const struct run_levels *l, json_t **out, struct err *e)
{
    const double *y = run_results_of(r, d), seconds = r->seconds_per_unit[d];
    const struct bounded_values v = run_results_bounded(r, d);
    const struct level_shared shared = run_total_level(l, d);
    struct projection_options options = q->options;
    struct warm_bound bound = {.value = NAN};
    struct bootstrap b;
    struct projection p;
    int ret;

    options.level = l->total[d];
    options.error = run_results_error(r, d);
    options.kappa = run_results_kappa(r, d, q->options.kappa);
    if (projection_make_with(&r->plan, y, &options, &p, e) < 0)
        return -1;
    ret = r->empty_caches[d] ? warm_bound_make(&r->plan, &v, &options, &p, &bound, e) : 0;
    if (ret >= 0)
        ret = q->bootstrap ? bootstrap_make(&r->plan, y, &options, &p, BOOTSTRAP_RESAMPLES, &b, e) : 0;
    if (ret == 0) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "design", r->designs[d].name);
        level_put(&shared, &o);
        estimate_put(&o, &p, q->bootstrap ? &b : NULL, run_results_unit(r), seconds);
        json_put(&o, "warm_bound", isnan(bound.value) ? json_null() : warm_bound_to_json(&bound, seconds));
        if (q->opinions)
            ret = put_opinions(r, d, &options, &p, &o, e);
        *out = json_obj_end(&o);
        if (ret < 0)
            json_decref(*out);
    }
    projection_release(&p);
    return ret;
}

int run_estimate_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    json_t *designs = json_array(), *one;
    struct run_results r = {.design_count = 0};
    struct run_levels l = {.baseline = 0};
    struct question q;
    int ret = read_question(req, &q, e) < 0 ? -1 : load(db, req, &r, e);

    (void)app;
    if (ret == 0)
        ret = run_levels_load(&l, db, &r, NULL, e);
    for (size_t d = 0; ret == 0 && d < r.design_count; d++) {
        ret = estimate_design(&r, &q, d, &l, &one, e);
        if (ret == 0 && json_push(designs, one) < 0)
            ret = err_no_memory(e);
    }
    if (ret == 0)
        ret = reply_json(rep, 200, answer(&r, json_incref(designs)), e);
    json_decref(designs);
    run_levels_release(&l);
    run_results_release(&r);
    return ret;
}

/* --- GET /runs/{run}/metrics --- */

static int metrics_of(const struct run_results *r, size_t d, const struct metric_values *v, json_t **out,
                      struct err *e)
{
    struct json_obj o = json_obj_begin();
    struct metric_estimate *m;
    size_t count;
    int ret;

    if (metrics_estimate(&r->plan, v, r->designs[d].clock_hz, r->run.confidence, &m, &count, e) < 0) {
        json_decref(json_obj_end(&o));
        return -1;
    }
    json_put_str(&o, "design", r->designs[d].name);
    json_put_double(&o, "level", r->run.confidence);
    for (size_t i = 0; r->projected[d] && i < count; i++)
        m[i].half_width = m[i].df = NAN; /* a projection scales counters with an unknown error */
    json_put(&o, "metrics", metrics_to_json(m, count));
    free(m);
    ret = quantiles_put(&o, &r->plan, run_results_of(r, d), r->run.confidence, r->seconds_per_unit[d], e);
    *out = json_obj_end(&o);
    if (ret < 0)
        json_decref(*out);
    return ret;
}

int run_metrics_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct metric_values *v = NULL;
    json_t *designs = json_array(), *one;
    struct run_results r = {.design_count = 0};
    int ret = load(db, req, &r, e);

    (void)app;
    if (ret == 0)
        v = mem_zalloc(r.design_count + 1, sizeof *v, e);
    ret = v ? 0 : -1;
    for (size_t d = 0; ret == 0 && d < r.design_count; d++)
        ret = metric_values_init(&v[d], r.plan.sample_count, e);
    if (ret == 0) {
        const struct projection_of of = run_results_source(&r);

        ret = repo_projection_counters(db, &of, v, r.design_count, e);
    }
    for (size_t d = 0; ret == 0 && d < r.design_count; d++) {
        ret = metrics_of(&r, d, &v[d], &one, e);
        if (ret == 0 && json_push(designs, one) < 0)
            ret = err_no_memory(e);
    }
    if (ret == 0)
        ret = reply_json(rep, 200, answer(&r, json_incref(designs)), e);
    for (size_t d = 0; v && d < r.design_count; d++)
        metric_values_release(&v[d]);
    free(v);
    json_decref(designs);
    run_results_release(&r);
    return ret;
}
