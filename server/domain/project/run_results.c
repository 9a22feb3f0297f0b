#include "server/domain/project/run_results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/estimate/within_launch.h"
#include "server/domain/plan/plan_cache.h"

static double seconds_per_unit(const struct run_results *r, size_t design)
{
    if (r->run.engine == ENGINE_CYCLE)
        return 1 / r->designs[design].clock_hz; /* NaN stays NaN */
    return r->plan.unit == PROFILE_NS ? 1e-9 : NAN;
}

/* Switches *r to the last complete answer, without the work in progress. */
static void go_back(struct run_results *r)
{
    r->as_answered = true;
    r->run.confidence = r->answer.confidence;
    snprintf(r->run.plan, sizeof r->run.plan, "%s", r->answer.plan);
}

struct projection_of run_results_source(const struct run_results *r)
{
    return (struct projection_of){.run = r->run.id,
                                  .plan = r->run.plan,
                                  .until = r->which == RUN_RESULTS_SHOWN && r->answered ? r->answer.at : 0};
}

static bool same_as_answered(const struct run_results *r)
{
    int64_t known = 0;

    for (size_t i = 0; i < r->design_count * r->plan.sample_count; i++)
        known += !isnan(r->y[i]);
    return r->answered && r->answer.final && strcmp(r->answer.plan, r->run.plan) == 0 && r->answer.done == known;
}

static int load_values(struct run_results *r, struct db *db, struct err *e)
{
    const struct projection_of of = run_results_source(r);

    r->y = mem_zalloc(r->design_count * r->plan.sample_count + 1, sizeof *r->y, e);
    r->seconds_per_unit = mem_zalloc(r->design_count + 1, sizeof *r->seconds_per_unit, e);
    r->empty_caches = mem_zalloc(r->design_count + 1, sizeof *r->empty_caches, e);
    r->warm = mem_zalloc(r->design_count * r->plan.sample_count + 1, sizeof *r->warm, e);
    r->error = mem_zalloc(r->design_count * r->plan.sample_count + 1, sizeof *r->error, e);
    r->projected = mem_zalloc(r->design_count + 1, sizeof *r->projected, e);
    r->traces = mem_zalloc(r->design_count + 1, sizeof *r->traces, e);
    if (!r->y || !r->warm || !r->error || !r->seconds_per_unit || !r->empty_caches || !r->projected || !r->traces)
        return -1;
    for (size_t i = 0; i < r->design_count; i++)
        r->seconds_per_unit[i] = seconds_per_unit(r, i);
    return repo_projection_values(
        db, &of, r->design_count, r->plan.sample_count,
        &(struct values_found){r->y, r->warm, r->error, r->empty_caches, r->projected, r->traces}, e);
}

int run_results_load(struct run_results *out, struct db *db, const struct run_row *run,
                     enum run_results_which which, struct err *e)
{
    int found;

    *out = (struct run_results){.run = *run, .which = which};
    plan_init(&out->plan);
    found = repo_answer_find(db, run->id, &out->answer, e);
    if (found < 0)
        return -1;
    out->answered = found > 0;
    if (out->answered && which == RUN_RESULTS_SHOWN)
        go_back(out);
    if (plan_cache_load(db, out->run.plan, &out->plan, e) < 0 ||
        repo_projection_designs(db, run->id, &out->designs, &out->design_count, e) < 0 ||
        load_values(out, db, e) < 0)
        return -1;
    out->as_answered = out->as_answered || same_as_answered(out);
    return 0;
}

void run_results_release(struct run_results *r)
{
    plan_release(&r->plan);
    free(r->designs);
    free(r->y);
    free(r->warm);
    free(r->seconds_per_unit);
    free(r->empty_caches);
    free(r->error);
    free(r->projected);
    free(r->traces);
}

json_t *run_answer_json(struct db *db, const char *run, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *out = NULL;

    if (repo_answer_json(db, run, &text, e) == 0) {
        out = json_loadb(text.text, text.length, JSON_DECODE_ANY, NULL);
        if (!out)
            err_no_memory(e);
    }
    strbuf_release(&text);
    return out;
}

const char *run_results_unit(const struct run_results *r)
{
    return r->run.engine == ENGINE_CYCLE ? "cycles" : profile_unit_name(r->plan.unit);
}

size_t run_results_design(const struct run_results *r, const char *name)
{
    size_t d = 0;

    while (d < r->design_count && strcmp(r->designs[d].name, name) != 0)
        d++;
    return d;
}

const double *run_results_of(const struct run_results *r, size_t design)
{
    return r->y + design * r->plan.sample_count;
}

struct bounded_values run_results_bounded(const struct run_results *r, size_t design)
{
    return (struct bounded_values){run_results_of(r, design), r->warm + design * r->plan.sample_count,
                                   run_results_error(r, design)};
}

const double *run_results_error(const struct run_results *r, size_t design)
{
    return r->projected[design] ? r->error + design * r->plan.sample_count : NULL;
}

double run_results_kappa(const struct run_results *r, size_t design, double kappa)
{
    if (r->run.engine == ENGINE_REPLAY) /* a replay uses the profiled values themselves */
        return kappa > 0 ? kappa : 1;
    if (r->plan.unit != PROFILE_NS)
        return kappa;
    return isnan(r->seconds_per_unit[design]) ? 0 : (kappa > 0 ? kappa : 1) * r->designs[design].clock_hz * 1e-9;
}

/* of: results of all designs. */
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

static bool any(const struct run_results *r, const uint64_t *of_design)
{
    uint64_t count = 0;

    for (size_t d = 0; d < r->design_count; d++)
        count += of_design[d];
    return count > 0;
}

int run_results_within(const struct run_results *r, double *out, struct err *e)
{
    for (size_t d = 0; d < r->design_count; d++) {
        double scale = isnan(r->seconds_per_unit[d]) ? 1 : r->seconds_per_unit[d];

        if (within_launch_error(&r->plan, run_results_of(r, d), run_results_error(r, d), &out[d], e) < 0)
            return -1;
        out[d] *= scale;
    }
    return 0;
}

int run_results_widen(const struct run_results *r, struct comparisons *c, struct err *e)
{
    size_t n = c->design_count;
    const double **y = n && any(r, r->projected) ? mem_zalloc(2 * n, sizeof *y, e) : NULL;
    double *values = y ? in_seconds(r, r->y, y, e) : NULL, *errors = y ? in_seconds(r, r->error, y + n, e) : NULL;
    int ret = n && any(r, r->projected) ? -1 : 0;

    if (values && errors)
        ret = within_launch_compare_all(&r->plan, y, y + n, c, e);
    free(y);
    free(values);
    free(errors);
    return ret;
}

int run_results_bounded_seconds(const struct run_results *r, struct results_seconds *out, struct err *e)
{
    size_t n = r->design_count;

    *out = (struct results_seconds){.values = mem_zalloc(n + 1, sizeof *out->values, e),
                                    .y = mem_zalloc(3 * n + 1, sizeof *out->y, e)};
    if (!out->values || !out->y)
        return -1;
    out->empty = in_seconds(r, r->y, out->y, e);
    out->warm = in_seconds(r, r->warm, out->y + n, e);
    out->error = in_seconds(r, r->error, out->y + 2 * n, e);
    if (!out->empty || !out->warm || !out->error)
        return -1;
    for (size_t d = 0; d < n; d++)
        out->values[d] = (struct bounded_values){out->y[d], out->y[n + d], out->y[2 * n + d]};
    return 0;
}

void results_seconds_release(struct results_seconds *s)
{
    free(s->values);
    free(s->y);
    free(s->empty);
    free(s->warm);
    free(s->error);
    *s = (struct results_seconds){.values = NULL};
}

int run_results_mark_indistinguishable(const struct run_results *r, struct comparisons *c, struct err *e)
{
    struct results_seconds s;
    int ret;

    if (!any(r, r->empty_caches) || c->design_count == 0)
        return 0;
    ret = run_results_bounded_seconds(r, &s, e);
    if (ret == 0)
        ret = cache_bounds_check_all(&r->plan, s.values, c, e);
    results_seconds_release(&s);
    return ret;
}
