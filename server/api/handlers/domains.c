/* server/api/handlers/domains.c: GET /runs/{run}/domains?by=layer: the totals of a run's designs by part of the
 * workload, and their ratios. Each request computes them again. */
#include <math.h>
#include <string.h>

#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/import/profile_store.h"
#include "server/domain/project/run_domains.h"
#include "wire/projection_json.h"

static void put_comparison(struct json_obj *o, const struct domain_comparison *c)
{
    json_put_double(o, "ratio", c ? c->ratio : NAN);
    json_put_double(o, "ratio_half_width", c ? c->ratio_half_width : NAN);
    json_put(o, "paired_on", c ? json_integer((json_int_t)c->paired_on) : json_null());
    json_put_bool(o, "distinguishable", c && c->distinguishable);
    json_put_bool(o, "cache_reversible", c && c->cache_reversible);
}

static json_t *part_json(const struct domain_estimate *d, const struct domain_comparison *c, double total,
                         double seconds)
{
    struct json_obj o = json_obj_begin();

    json_put(&o, "name", d->name[0] ? json_text(d->name) : json_null());
    json_put_u64(&o, "launches", d->launches);
    json_put_u64(&o, "results", d->results);
    json_put_double(&o, "share", d->value / total);
    json_put_double(&o, "value", d->value);
    json_put_double(&o, "half_width", d->half_width);
    json_put_double(&o, "value_s", d->value * seconds);
    json_put_double(&o, "half_width_s", d->half_width * seconds);
    json_put_double(&o, "relative_half_width", d->half_width / d->value);
    json_put_double(&o, "df", d->df);
    json_put_bool(&o, "few_results", d->few);
    json_put_bool(&o, "below_zero", d->below_zero);
    json_put_str(&o, "estimate_why_not", domain_estimate_why_not(d));
    put_comparison(&o, c);
    return json_obj_end(&o);
}

static json_t *design_json(const struct run_results *r, const struct run_levels *l, const struct run_domains *all,
                           size_t d)
{
    const struct level_shared shared = run_total_level(l, d);
    const struct design_domains *x = &all->designs[d];
    double seconds = r->seconds_per_unit[d];
    struct json_obj o = json_obj_begin();
    json_t *list = json_array();

    for (size_t i = 0; list && i < all->count; i++)
        if (json_push(list,
                      part_json(&x->parts[i], x->compared ? &x->compared[i] : NULL, x->total.value, seconds)) < 0) {
            json_decref(list);
            list = NULL;
        }
    json_put_str(&o, "design", r->designs[d].name);
    level_put(&shared, &o);
    json_put_str(&o, "unit", run_results_unit(r));
    json_put_double(&o, "value", x->total.value);
    json_put_double(&o, "half_width", x->total.half_width);
    json_put_double(&o, "value_s", x->total.value * seconds);
    json_put_double(&o, "half_width_s", x->total.half_width * seconds);
    json_put(&o, "parts", list);
    return json_obj_end(&o);
}

static int answer(const struct run_results *r, const struct run_levels *l, const struct run_domains *all,
                  enum domain_kind kind, struct reply *rep, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *designs = json_array();

    for (size_t d = 0; designs && d < r->design_count; d++)
        if (json_push(designs, design_json(r, l, all, d)) < 0) {
            json_decref(designs);
            designs = NULL;
        }
    json_put_str(&o, "run", r->run.id);
    json_put_str(&o, "state", r->run.state);
    json_put_str(&o, "kind", domain_kind_name(kind));
    json_put_str(&o, "baseline", r->design_count > 1 ? r->designs[all->baseline].name : NULL);
    json_put_double(&o, "ratio_level", all->ratio_level);
    json_put(&o, "designs", designs);
    json_put(&o, "not_covered", not_covered_to_json());
    return reply_json(rep, 200, json_obj_end(&o), e);
}

static int read_kind(const struct request *req, enum domain_kind *out, struct err *e)
{
    const char *by = request_query(req, "by");

    return by ? domain_kind_from_name(by, out, e)
              : err_set(e, ERR_USAGE, "`by` is missing: it is layer, phase, step, class or rank");
}

int run_domains_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_results r = {.design_count = 0};
    struct run_levels l = {.baseline = 0};
    struct run_domains all = {.design_count = 0};
    struct domain_view view = {.count = 0};
    enum domain_kind kind = DOMAIN_CLASS;
    struct profile profile;
    struct run_row run;
    size_t baseline = 0;
    int ret = run_of_request(db, req, &run, e) < 0 || run_results_load(&r, db, &run, RUN_RESULTS_SHOWN, e) < 0 ||
                      read_kind(req, &kind, e) < 0 ||
                      run_design_find(&r, request_query(req, "baseline"), &baseline, e) < 0
                  ? -1
                  : 0;

    (void)app;
    profile_init(&profile);
    if (ret == 0)
        ret = run_levels_load(&l, db, &r, NULL, e) < 0 || profile_load(db, r.run.profile, &profile, e) < 0 ||
                      domain_view_need(&profile, kind, &view, e) < 0 ||
                      run_domains_make(&all, &r, &l, &view, kind, baseline, e) < 0
                  ? -1
                  : 0;
    if (ret == 0)
        ret = answer(&r, &l, &all, kind, rep, e);
    run_domains_release(&all);
    domain_view_release(&view);
    profile_release(&profile);
    run_levels_release(&l);
    run_results_release(&r);
    return ret;
}
