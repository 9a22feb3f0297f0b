/* server/api/handlers/compare.c: GET /compare: designs of one or several runs against one baseline. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/array.h"
#include "base/text.h"
#include "server/api/handlers/handlers.h"
#include "server/domain/project/comparing.h"
#include "server/domain/plan/design_diff.h"
#include "server/domain/run/extension.h"
#include "wire/json.h"

/* base=RUN:v100&with=RUN:h100,RUN:b200&kernels=true&parameters=all&resolve=0.01&format=csv */
struct question {
    const char *base, *with;
    bool kernels, parameters, all_parameters, csv;
    double resolve; /* 0: not requested */
};

static int read_question(const struct request *req, struct question *q, struct err *e)
{
    const char *kernels = request_query(req, "kernels"), *parameters = request_query(req, "parameters"),
               *resolve = request_query(req, "resolve"), *format = request_query(req, "format");

    *q = (struct question){.base = request_query(req, "base"), .with = request_query(req, "with")};
    if (!q->base || !q->with)
        return err_set(
            e, ERR_INVALID,
            "`base` must name the baseline as RUN:DESIGN, and `with` the other designs, separated by commas");
    q->kernels = kernels && strcmp(kernels, "true") == 0;
    if (kernels && !q->kernels && strcmp(kernels, "false") != 0)
        return err_set(e, ERR_INVALID, "`kernels` must be true or false");
    q->all_parameters = parameters && strcmp(parameters, "all") == 0;
    q->parameters = q->all_parameters || (parameters && strcmp(parameters, "differences") == 0);
    if (parameters && !q->parameters)
        return err_set(e, ERR_INVALID, "`parameters` must be differences or all");
    q->csv = format && strcmp(format, "csv") == 0;
    if (format && !q->csv && strcmp(format, "json") != 0)
        return err_set(e, ERR_INVALID, "`format` must be csv or json");
    if (resolve && parse_share(resolve, "resolve", &q->resolve, e) < 0)
        return err_set(e, ERR_INVALID, "`resolve` must be between 0 and 1; 0.01 is 1 %%");
    return 0;
}

/* --- One side of the comparison --- */

/* A time as a JSON number. NaN where the results are not times. */
static double timed(const struct board *b, const struct side *s, double x)
{
    return isnan(side_seconds(b, s)) ? NAN : x;
}

static void put_name(const struct board *b, const struct side *s, struct json_obj *o)
{
    const struct run_results *r = side_run(b, s);

    json_put_str(o, "run", r->run.id);
    json_put_str(o, "design", r->designs[s->design].name);
}

static json_t *named(const struct board *b, const struct side *s)
{
    struct json_obj o = json_obj_begin();

    put_name(b, s, &o);
    return json_obj_end(&o);
}

static json_t *total(const struct board *b, const struct side *s)
{
    double seconds = side_seconds(b, s);
    struct json_obj o = json_obj_begin();

    json_put_double(&o, "value", s->p.value);
    json_put_double(&o, "half_width", s->p.half_width);
    json_put_str(&o, "unit", run_results_unit(side_run(b, s)));
    json_put_double(&o, "value_s", s->p.value * seconds);
    json_put_double(&o, "half_width_s", s->p.half_width * seconds);
    level_put(&s->total_level, &o);
    json_put_u64(&o, "done", s->p.done);
    json_put_u64(&o, "planned", s->p.planned);
    return json_obj_end(&o);
}

static json_t *side(const struct board *b, size_t i)
{
    const struct side *s = &b->sides[i];
    const struct run_results *r = side_run(b, s);
    struct json_obj o = json_obj_begin();
    bool baseline = s->base == i;

    put_name(b, s, &o);
    json_put_str(&o, "workload", b->runs[s->run].about.workload);
    json_put_str(&o, "workload_name", b->runs[s->run].about.workload_name.text);
    json_put_str(&o, "engine", r->run.engine == ENGINE_CYCLE ? "cycle" : "replay");
    json_put_str(&o, "state", r->run.state);
    json_put_u64(&o, "seed", r->plan.params.seed);
    json_put(&o, "total", total(b, s));
    json_put_bool(&o, "is_baseline", baseline);
    json_put(&o, "against", s->base == SIDES_MAX ? json_null() : named(b, &b->sides[s->base]));
    json_put_double(&o, "difference_s", baseline ? NAN : timed(b, s, s->total.difference));
    json_put_double(&o, "half_width_s", baseline ? NAN : timed(b, s, s->total.difference_half_width));
    json_put_double(&o, "ratio", s->total.ratio);
    json_put_double(&o, "ratio_half_width", s->total.ratio_half_width);
    json_put_double(&o, "df", isinf(s->total.df) ? NAN : s->total.df);
    level_put(&s->shared, &o);
    json_put_bool(&o, "paired", s->paired);
    json_put_u64(&o, "paired_on", s->total.paired_on);
    json_put_u64(&o, "samples", r->plan.sample_count);
    json_put_str(&o, "why_not_paired", side_why_not(b, i));
    json_put_bool(&o, "distinguishable", s->total.distinguishable);
    json_put_bool(&o, "cache_reversible", s->total.cache_reversible);
    json_put_u64(&o, "empty_caches", r->empty_caches[s->design]);
    json_put_u64(&o, "projected_inside", r->projected[s->design]);
    json_put(&o, "answer", json_incref(b->runs[s->run].answer));
    return json_obj_end(&o);
}

static json_t *kernel(const struct board *b, const struct side *s, const struct kernel_comparison *k)
{
    struct json_obj o = json_obj_begin();

    put_name(b, s, &o);
    json_put_str(&o, "kernel", k->kernel);
    json_put_u64(&o, "stratum", k->stratum);
    json_put_double(&o, "baseline_s", timed(b, s, k->baseline));
    json_put_double(&o, "total_s", timed(b, s, k->total));
    json_put_double(&o, "difference_s", timed(b, s, k->difference));
    json_put_double(&o, "half_width_s", timed(b, s, k->difference_half_width));
    json_put_double(&o, "ratio", k->ratio);
    json_put_double(&o, "ratio_half_width", k->ratio_half_width);
    json_put_bool(&o, "distinguishable", k->distinguishable);
    json_put_bool(&o, "cache_reversible", k->cache_reversible);
    return json_obj_end(&o);
}

static int put_sides(const struct board *b, bool kernels, struct json_obj *o, struct err *e)
{
    json_t *items = json_array(), *list = json_array();
    int ret = 0;

    for (size_t i = 1; i < b->count; i++) {
        const struct side *s = &b->sides[i];

        ret |= json_push(items, side(b, i));
        for (size_t k = 0; kernels && k < s->kernel_count; k++)
            ret |= json_push(list, kernel(b, s, &s->kernels[k]));
    }
    json_put(o, "base", side(b, 0));
    json_put(o, "items", items);
    json_put(o, "kernels", kernels ? json_incref(list) : json_null());
    json_decref(list);
    return ret ? err_no_memory(e) : 0;
}

/* --- Parameters of the designs --- */

static int read_designs(const struct board *b, struct db *db, json_t **designs, struct err *e)
{
    for (size_t i = 0; i < b->count; i++) {
        const struct side *s = &b->sides[i];
        struct db_rows q;
        const char *text;

        if (repo_compare_designs(db, side_run(b, s)->run.id, &q, e) < 0)
            return -1;
        text = s->design < (size_t)q.count ? db_get(&q, (int)s->design, 1) : "";
        designs[i] = *text ? json_read_text(text, strlen(text), "the design", e) : NULL;
        db_rows_release(&q);
        if (*text && !designs[i])
            return -1;
    }
    return 0;
}

static int put_parameters(const struct board *b, struct db *db, bool all, struct json_obj *o, struct err *e)
{
    json_t *designs[SIDES_MAX] = {NULL}, *rows = NULL;
    int ret = read_designs(b, db, designs, e);

    if (ret == 0)
        ret = design_diff(designs, b->count, all, &rows, e);
    if (ret == 0)
        json_put(o, "parameters", rows);
    for (size_t i = 0; i < b->count; i++)
        json_decref(designs[i]);
    return ret;
}

/* --- Samples that would distinguish the designs --- */

/* Adds the expected cost of an extension that resolves differences of `wanted` (`vivace run compare --resolve`). */
static int put_resolve(struct app *app, struct db *db, const struct board *b, double wanted, struct json_obj *o,
                       struct err *e)
{
    const struct side *base = &b->sides[0];
    const struct rule_row rule = {
        .resolve = wanted, .baseline = (int)base->design, .analyses = INTERIM_MAX, .redraw = true};
    struct run_row run;
    struct err why;
    json_t *cost;

    if (side_run(b, base)->design_count < 2)
        json_put(o, "resolve",
                 extension_refused(side_run(b, base)->run.id, &rule, "the baseline's run has no other design"));
    else if (repo_run_find(db, side_run(b, base)->run.id, -1, &run, e) < 0)
        return -1;
    else if (extension_allowed(db, &run, &why) < 0)
        json_put(o, "resolve", extension_refused(run.id, &rule, why.text));
    else if (extension_cost(db, app->clock, &run, &rule, &cost, e) < 0)
        return -1;
    else
        json_put(o, "resolve", cost);
    return 0;
}

/* --- Answers --- */

static json_t *answer(struct app *app, const struct board *b, struct db *db, const struct question *q,
                      struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *out;
    int ret;

    json_put_double(&o, "level", b->level);
    json_put_str(&o, "rule", board_rule);
    ret = put_sides(b, q->kernels, &o, e);
    if (ret == 0 && q->parameters)
        ret = put_parameters(b, db, q->all_parameters, &o, e);
    if (ret == 0 && q->resolve > 0)
        ret = put_resolve(app, db, b, q->resolve, &o, e);
    out = json_obj_end(&o);
    if (ret == 0 && !out)
        err_no_memory(e);
    if (ret == 0)
        return out;
    json_decref(out);
    return NULL;
}

static void csv_number(struct strbuf *out, double x)
{
    char text[NUM_TEXT];

    strbuf_addf(out, ",%s", isfinite(x) ? num_format(x, text) : "");
}

static void csv_row(const struct board *b, size_t i, struct strbuf *out)
{
    const struct side *s = &b->sides[i];
    const struct run_results *r = side_run(b, s);
    double seconds = side_seconds(b, s);
    bool baseline = s->base == i;

    csv_add_cell(out, r->run.id);
    strbuf_addc(out, ',');
    csv_add_cell(out, r->designs[s->design].name);
    strbuf_addc(out, ',');
    csv_add_cell(out, b->runs[s->run].about.workload_name.text);
    csv_number(out, s->p.value * seconds);
    csv_number(out, s->p.half_width * seconds);
    csv_number(out, baseline ? NAN : timed(b, s, s->total.difference));
    csv_number(out, baseline ? NAN : timed(b, s, s->total.difference_half_width));
    csv_number(out, s->total.ratio);
    csv_number(out, s->total.ratio_half_width);
    csv_number(out, s->shared.level);
    strbuf_addf(out, ",%s,%llu,%s,%s,%llu,%llu,%" PRIu64 "\r\n", s->paired ? "true" : "false",
                (unsigned long long)s->total.paired_on, s->total.distinguishable ? "true" : "false",
                s->total.cache_reversible ? "true" : "false", (unsigned long long)r->empty_caches[s->design],
                (unsigned long long)r->projected[s->design], r->plan.params.seed);
}

static int answer_csv(const struct board *b, struct reply *rep, struct err *e)
{
    rep->content_type = "text/csv; charset=utf-8";
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"compare.csv\"");
    strbuf_adds(&rep->body, "run,design,workload,total_s,total_half_width_s,difference_s,half_width_s,ratio,"
                            "ratio_half_width,level,paired,paired_on,distinguishable,cache_reversible,empty_caches,"
                            "projected_inside,seed\r\n");
    for (size_t i = 0; i < b->count; i++)
        csv_row(b, i, &rep->body);
    return reply_body_json(rep, 200, e);
}

/* GET /compare */
int compare_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct board *b = mem_zalloc(1, sizeof *b, e);
    struct question q;
    json_t *out = NULL;
    int ret = b ? read_question(req, &q, e) : -1;

    if (ret == 0) {
        ret = board_make(b, db, req->credential.team_id, q.base, q.with, e);
        if (ret == 0 && q.csv)
            ret = answer_csv(b, rep, e);
        else if (ret == 0)
            ret = (out = answer(app, b, db, &q, e)) ? reply_json(rep, 200, out, e) : -1;
        board_release(b);
    }
    free(b);
    return ret;
}
