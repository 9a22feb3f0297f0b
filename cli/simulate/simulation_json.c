/* `vivace simulate --json`. */
#include <math.h>
#include <stdlib.h>

#include "base/demangle.h"
#include "cli/simulate/simulation.h"
#include "wire/projection_json.h"

static json_t *projected_json(const struct sim_task *t)
{
    const struct sim_projected *p = &t->projected;
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "method", sim_projection_names[p->method]);
    json_put_u64(&o, "at_cycle", p->at_cycle);
    json_put_u64(&o, "ctas_done", p->ctas_done);
    json_put_u64(&o, "ctas", p->ctas);
    json_put_double(&o, "spread", p->spread);
    if (p->method == PROJECT_STABLE) {
        json_put_u64(&o, "steady_cycles", p->steady_cycles);
        json_put_u64(&o, "low_cycles", p->low_cycles);
        json_put_u64(&o, "high_cycles", p->high_cycles);
        json_put_double(&o, "standard_error_cycles", sim_projected_error(p, t->cycles));
    }
    return json_obj_end(&o);
}

static json_t *counters_json(const struct sim_task *t)
{
    struct json_obj o = json_obj_begin();

    for (int c = 0; c < METRIC_COUNTERS; c++)
        json_put_double(&o, metric_counters[c], t->counters[c]);
    return json_obj_end(&o);
}

static json_t *launch_json(const struct simulation *s, size_t launch, size_t design)
{
    const struct sim_task *t = simulation_task(s, launch, design);
    const struct bundle_kernel *kernel = s->launches[launch].kernel;
    const char *why = simulation_why_not(s, launch, t);
    struct json_obj o = json_obj_begin();
    struct err ignored;
    char *plain = t->name ? demangle(t->name, &ignored) : NULL;

    json_put(&o, "id", kernel ? json_count(kernel->id) : json_null());
    json_put_u64(&o, "launch", s->launches[launch].launch);
    json_put_str(&o, "design", design_name(s->designs[design]));
    json_put(&o, "name", json_str_or_null(t->name));
    json_put(&o, "demangled", json_str_or_null(plain));
    json_put(&o, "grid", t->known ? json_dim3(t->grid) : json_null());
    json_put(&o, "block", t->known ? json_dim3(t->block) : json_null());
    json_put(&o, "warp_instructions", t->done ? json_count(t->warp_instructions) : json_null());
    json_put(&o, "cycles", t->done ? json_count(t->cycles) : json_null());
    json_put(&o, "cycles_warm_bound",
             t->done && t->cycles_warm_bound ? json_count(t->cycles_warm_bound) : json_null());
    json_put(&o, "launch_cycles", t->done ? json_count(t->launch_cycles) : json_null());
    if (s->how.projection)
        json_put(&o, "projected", t->done && t->projected.method ? projected_json(t) : json_null());
    if (s->how.projection)
        json_put(&o, "whole_why", t->done ? json_str_or_null(t->projected.why_not) : json_null());
    if (s->how.caches == SIM_CACHES_WARM)
        json_put(&o, "caches", t->done ? json_string(t->began_warm ? "warm" : "empty") : json_null());
    if (s->before) {
        json_put_u64(&o, "replayed_launches", t->replayed);
        json_put_u64(&o, "replay_launches_missing", s->before[launch].missing);
    }
    if (s->show_metrics)
        json_put(&o, "counters", t->done ? counters_json(t) : json_null());
    json_put_double(&o, "gpu_seconds", t->done ? design_seconds(s->designs[design], t->cycles) : NAN);
    json_put_double(&o, "host_seconds", t->known ? t->seconds : NAN);
    json_put(&o, "error", json_str_or_null(why));
    free(plain);
    return json_obj_end(&o);
}

static json_t *total_json(const struct simulation *s, size_t d)
{
    const struct sim_total *t = &s->totals[d];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_str(&o, "design_sha256", design_sha256(s->designs[d]));
    json_put_double(&o, "clock_hz", design_clock_hz(s->designs[d]));
    json_put_u64(&o, "kernels", t->kernels);
    json_put_u64(&o, "failed", t->failed);
    json_put_u64(&o, "cycles", t->cycles);
    json_put(&o, "cycles_warm", isnan(t->cycles_warm) ? json_null() : json_count((uint64_t)t->cycles_warm));
    json_put_u64(&o, "launch_cycles", t->launch_cycles);
    json_put_u64(&o, "warp_instructions", t->warp_instructions);
    json_put_double(&o, "gpu_seconds", design_seconds(s->designs[d], t->cycles));
    json_put_double(&o, "host_seconds", t->host_seconds);
    return json_obj_end(&o);
}

/* null: not requested. */
static json_t *caches_json(const struct projection_parts *p)
{
    const struct cache_window *w = &p->cache_window;
    struct json_obj o;

    if (!w->before)
        return json_null();
    o = json_obj_begin();
    json_put_double(&o, "relative", p->cache_launches ? p->cache_error : NAN);
    json_put_u64(&o, "launches", p->cache_launches);
    json_put_u64(&o, "launches_before", w->before);
    json_put_u64(&o, "wanted_before", w->wanted);
    json_put_u64(&o, "missing_before", w->missing);
    json_put_bool(&o, "whole", w->whole);
    json_put_bool(&o, "settled", p->cache_launches && cache_window_settled(w));
    json_put_double(&o, "share", p->cache_launches ? p->cache_share : NAN);
    json_put_double(&o, "least", p->cache_launches ? p->cache_min : NAN);
    json_put_double(&o, "most", p->cache_launches ? p->cache_max : NAN);
    return json_obj_end(&o);
}

static json_t *parts_json(const struct simulation *s, size_t d)
{
    struct projection_parts p = simulation_parts(s, d);
    struct json_obj o = json_obj_begin();

    json_put_double(&o, "sum_s", p.sum_s);
    json_put(&o, "sum_why_not", json_str_or_null(isfinite(p.sum_s) ? NULL : p.sum_why_not));
    json_put_double(&o, "sampling_error", p.relative);
    json_put(&o, "sampling_error_why_not", json_str_or_null(isfinite(p.relative) ? NULL : p.interval_why_not));
    json_put_double(&o, "model_error", p.model_error);
    json_put(&o, "model_error_why_not", json_str_or_null(p.model_why_not));
    json_put(&o, "validated", simulation_validated(s, d));
    json_put(&o, "cache_state", caches_json(&p));
    json_put_double(&o, "makespan_s", p.makespan_s);
    json_put(&o, "makespan_why_not", json_str_or_null(p.makespan_why_not));
    return json_obj_end(&o);
}

static json_t *projection_json(const struct simulation *s, size_t d)
{
    const struct projection *p = &s->cycles[d];
    double second = 1 / design_clock_hz(s->designs[d]); /* computed as on the farm, so that all digits are equal */
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_double(&o, "value_cycles", p->value);
    json_put_double(&o, "half_width_cycles", p->half_width);
    json_put_double(&o, "value_s", p->value * second);
    json_put_double(&o, "half_width_s", p->half_width * second);
    json_put_double(&o, "level", p->level);
    json_put_double(&o, "df", p->df);
    json_put_u64(&o, "done", p->done);
    json_put_u64(&o, "planned", p->planned);
    json_put(&o, "warm_bound",
             isnan(s->warm_bounds[d].value) ? json_null() : warm_bound_to_json(&s->warm_bounds[d], second));
    json_put_u64(&o, "projected_inside", simulation_projected(s, d));
    json_put_bool(&o, "complete", p->complete);
    json_put_str(&o, "estimator", p->estimator);
    json_put_str(&o, "interval", p->variance_method);
    json_put(&o, "warning", json_str_or_null(p->warning));
    json_put(&o, "cross_checks", cross_checks_to_json(p, "cycles", second));
    if (s->bootstrap)
        json_put(&o, "bootstrap", bootstrap_to_json(&s->second_opinion[d], second));
    json_put(&o, "metrics", metrics_to_json(s->metrics[d], s->metric_count));
    json_put(&o, "parts", parts_json(s, d));
    if (s->domains.wanted)
        json_put(&o, "domains", simulation_domains_json(&s->domains, d, design_clock_hz(s->designs[d])));
    return json_obj_end(&o);
}

static json_t *comparison_json(const struct simulation *s, size_t d)
{
    const struct comparison *c = &s->against_first[d];
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design_name(s->designs[d]));
    json_put_str(&o, "baseline", design_name(s->designs[0]));
    json_put_double(&o, "difference_s", c->difference);
    json_put_double(&o, "half_width_s", c->difference_half_width);
    json_put_double(&o, "ratio", c->ratio);
    json_put_double(&o, "ratio_half_width", c->ratio_half_width);
    json_put_double(&o, "df", c->df);
    json_put_double(&o, "level", c->level);
    json_put_u64(&o, "paired_on", c->paired_on);
    json_put_bool(&o, "distinguishable", c->distinguishable);
    json_put_bool(&o, "cache_reversible", c->cache_reversible);
    return json_obj_end(&o);
}

typedef json_t *(*of_design_fn)(const struct simulation *s, size_t d);

static json_t *each_design(const struct simulation *s, size_t first, of_design_fn of)
{
    json_t *list = json_array();

    for (size_t d = first; list && d < s->design_count; d++)
        if (json_push(list, of(s, d)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *launches_json(const struct simulation *s)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < s->launch_count * s->design_count; i++)
        if (json_push(list, launch_json(s, i / s->design_count, i % s->design_count)) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

int simulation_print_json(const struct simulation *s, struct err *e)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "simulator", SIMCORE_VERSION);
    json_put_str(&o, "caches", sim_caches_names[s->how.caches]);
    json_put_u64(&o, "empty_caches", simulation_empty(s));
    json_put_str(&o, "project", sim_projection_names[s->how.projection]);
    if (!cta_range_is_all(&s->how.ctas)) {
        json_put_u64(&o, "from_cta", s->how.ctas.first);
        json_put(&o, "ctas", s->how.ctas.count ? json_count(s->how.ctas.count) : json_null());
    }
    json_put(&o, "kernels", launches_json(s));
    json_put(&o, "totals", each_design(s, 0, total_json));
    json_put(&o, "projections", s->has_plan ? each_design(s, 0, projection_json) : json_array());
    json_put(&o, "comparison", s->has_plan ? each_design(s, 1, comparison_json) : json_array());
    json_put(&o, "not_covered", s->has_plan ? not_covered_to_json() : json_array());
    json_put_double(&o, "wall_seconds", s->wall_seconds);
    json_put_u64(&o, "processes", s->children);
    return cli_print_json(json_obj_end(&o), e);
}
