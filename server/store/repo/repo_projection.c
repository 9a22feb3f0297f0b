#include "server/store/repo/repo_projection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "server/store/repo/sql/statements.h"
#include "wire/projection_json.h"

int repo_projection_designs(struct db *db, const char *run, struct run_design_row **out, size_t *count,
                            struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct run_design_row *items;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, &sql_projection_designs, &p, &q, e) < 0)
        return -1;
    items = mem_zalloc((size_t)q.count + 1, sizeof *items, e);
    *count = (size_t)q.count;
    for (int i = 0; items && i < q.count; i++) {
        snprintf(items[i].name, sizeof items[i].name, "%s", db_get(&q, i, 0));
        items[i].clock_hz = db_get_double(&q, i, 1);
        items[i].same_gpu = db_get_bool(&q, i, 2);
        items[i].builtin = db_get_bool(&q, i, 3);
    }
    db_rows_release(&q);
    *out = items;
    return items ? 0 : -1;
}

int repo_projection_kernels(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, &sql_projection_kernels, &p, out, e);
}

/* Adds the parameters of the fragments sample_of and not_after. */
static void add_of(struct db_params *p, const struct projection_of *of)
{
    db_text(p, of->plan);
    if (of->until)
        db_time(p, of->until);
    else
        db_text(p, NULL);
}

/* Inserts the sentence into the sorted list, if it is not in it and not behind a full list. */
static void add_foreign(struct trace_warnings *w, const char *sentence)
{
    size_t at = 0, last;

    while (at < w->foreign_count && strcmp(w->foreign[at], sentence) < 0)
        at++;
    if (at == FOREIGN_SENTENCES || (at < w->foreign_count && strcmp(w->foreign[at], sentence) == 0))
        return;
    w->foreign_count += w->foreign_count < FOREIGN_SENTENCES;
    last = w->foreign_count - 1;
    memmove(w->foreign[at + 1 <= last ? at + 1 : last], w->foreign[at], (last - at) * sizeof w->foreign[0]);
    snprintf(w->foreign[at], sizeof w->foreign[at], "%s", sentence);
}

static void add_trace_warnings(struct trace_warnings *w, size_t sample, const char *foreign, const char *partial)
{
    if (*foreign)
        add_foreign(w, foreign);
    if (!*partial)
        return;
    if (w->partial == 0 || sample < w->first_partial) {
        w->first_partial = sample;
        snprintf(w->first_ctas, sizeof w->first_ctas, "%s", partial);
    }
    w->partial++;
}

int repo_projection_values(struct db *db, const struct projection_of *of, size_t designs, size_t samples,
                           const struct values_found *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    for (size_t i = 0; i < designs * samples; i++)
        out->y[i] = out->warm[i] = NAN;
    db_text(&p, of->run);
    add_of(&p, of);
    if (db_query(db, &sql_projection_values, &p, &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++) {
        size_t d = (size_t)db_get_i64(&q, i, 0), s = (size_t)db_get_i64(&q, i, 1);

        if (d >= designs || s >= samples)
            continue;
        out->y[d * samples + s] = db_get_double(&q, i, 2);
        out->warm[d * samples + s] = db_get_double(&q, i, db_get_bool(&q, i, 3) ? 4 : 2);
        out->empty[d] += db_get_bool(&q, i, 3);
        add_trace_warnings(&out->traces[d], s, db_get(&q, i, 6), db_get(&q, i, 7));
        if (db_is_null(&q, i, 5))
            continue;
        out->error[d * samples + s] = db_get_double(&q, i, 5);
        out->projected[d]++;
    }
    db_rows_release(&q);
    return 0;
}

/* Reads one value for each counter from a list like "12,,7". An empty element is NaN. */
static void read_counters(const char *text, size_t sample, struct metric_values *out)
{
    for (int i = 0; i < METRIC_COUNTERS; i++) {
        char *end;
        double value = strtod(text, &end);

        if (end != text)
            out->of[i][sample] = value;
        text = end + strcspn(end, ",");
        text += *text == ',';
    }
}

int repo_projection_counters(struct db *db, const struct projection_of *of, struct metric_values *values,
                             size_t designs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf names = STRBUF_INIT;
    struct db_rows q;
    int ret;

    db_array_begin(&names);
    for (int i = 0; i < METRIC_COUNTERS; i++)
        db_array_add(&names, metric_counters[i]);
    db_array_end(&names);
    db_text(&p, of->run);
    db_text(&p, names.text);
    add_of(&p, of);
    ret = names.failed ? err_no_memory(e) : db_query(db, &sql_projection_counters, &p, &q, e);
    strbuf_release(&names);
    if (ret < 0)
        return -1;
    for (int i = 0; i < q.count; i++) {
        size_t d = (size_t)db_get_i64(&q, i, 0), s = (size_t)db_get_i64(&q, i, 1);

        if (d < designs && s < values[d].samples)
            read_counters(db_get(&q, i, 2), s, &values[d]);
    }
    db_rows_release(&q);
    return 0;
}

/* Writes the strata as a JSON array directly, because a tree of thousands of strata would be slow. */
static void strata_json(const struct projection *p, struct strbuf *b)
{
    char n[5][NUM_TEXT];

    strbuf_addc(b, '[');
    for (size_t i = 0; i < p->stratum_count; i++) {
        const struct projection_stratum *h = &p->strata[i];

        strbuf_addf(
            b, "%s{\"done\":%llu,\"mean\":%s,\"sd\":%s,\"half_width\":%s,\"total\":%s,\"variance_share\":%s}",
            i ? "," : "", (unsigned long long)h->done, num_format(h->mean, n[0]), num_format(h->sd, n[1]),
            num_format(h->half_width, n[2]), num_format(h->total, n[3]), num_format(h->variance_share, n[4]));
    }
    strbuf_addc(b, ']');
}

static int put_point(struct db *db, const struct projection_row *row, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (isnan(row->p->value))
        return 0;
    db_text(&p, row->run);
    db_i64(&p, row->design);
    db_i64(&p, (int64_t)row->p->done);
    db_double(&p, row->p->value);
    db_double(&p, row->p->half_width);
    db_double(&p, row->seconds_per_unit);
    db_time(&p, now);
    return db_query(db, &sql_projection_point, &p, NULL, e);
}

/* v NULL: out of memory. */
static void put_text(json_t *v, struct strbuf *out)
{
    if (v)
        json_write_text(v, false, out);
    else
        out->failed = true;
    json_decref(v);
}

int repo_projection_put(struct db *db, const struct projection_row *row, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf strata = STRBUF_INIT;
    struct strbuf checks = STRBUF_INIT;
    struct strbuf bound = STRBUF_INIT;
    struct strbuf communication = STRBUF_INIT;
    json_t *list = cross_checks_to_json(row->p, row->unit, row->seconds_per_unit);
    int ret;

    if (list)
        json_write_text(list, false, &checks);
    json_decref(list);
    if (row->warm_bound)
        put_text(warm_bound_to_json(row->warm_bound, row->seconds_per_unit), &bound);
    if (row->communication)
        put_text(communication_to_json(row->communication, row->seconds_per_unit), &communication);
    strata_json(row->p, &strata);
    db_text(&p, row->run);
    db_i64(&p, row->design);
    db_i64(&p, row->version);
    db_i64(&p, (int64_t)row->p->done);
    db_i64(&p, (int64_t)row->p->planned);
    db_bool(&p, row->p->complete);
    db_bool(&p, row->p->reweighted);
    db_text(&p, row->unit);
    db_double(&p, row->seconds_per_unit);
    db_double(&p, row->p->value);
    db_double(&p, row->p->half_width);
    db_double(&p, isinf(row->p->df) ? NAN : row->p->df);
    db_double(&p, row->p->level);
    db_text(&p, row->p->warning);
    db_double(&p, row->makespan_s);
    db_double(&p, row->measured_s);
    db_text(&p, strata.text);
    db_text(&p, row->p->variance_method ? row->p->variance_method : "");
    db_time(&p, now);
    db_text(&p, checks.text);
    db_double(&p, row->makespan_half_width_s);
    db_i64(&p, (int64_t)row->empty_caches);
    db_text(&p, row->warm_bound ? bound.text : NULL);
    db_double(&p, row->confidence);
    db_i64(&p, row->analyses);
    db_text(&p, row->level_note);
    db_double(&p, row->difference_level);
    db_i64(&p, row->difference_analyses);
    db_text(&p, row->makespan_interval_why_not);
    db_text(&p, row->communication ? communication.text : NULL);
    db_i64(&p, (int64_t)row->projected_inside);
    db_text(&p, row->warnings);
    ret = strata.failed || checks.failed || bound.failed || communication.failed || !list
              ? err_no_memory(e)
              : db_query(db, &sql_projection_put, &p, NULL, e);
    strbuf_release(&communication);
    strbuf_release(&bound);
    strbuf_release(&checks);
    strbuf_release(&strata);
    return ret < 0 ? -1 : put_point(db, row, now, e);
}

int repo_comparison_put(struct db *db, const struct comparison_row *row, struct err *e)
{
    const struct comparison *c = row->c;
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->run);
    db_i64(&p, row->design);
    db_double(&p, c->difference);
    db_double(&p, c->difference_half_width);
    db_double(&p, row->seconds_per_unit);
    db_double(&p, c->ratio);
    db_double(&p, c->ratio_half_width);
    db_double(&p, isinf(c->df) ? NAN : c->df);
    db_double(&p, c->level);
    db_i64(&p, (int64_t)c->paired_on);
    db_bool(&p, c->distinguishable);
    db_bool(&p, c->cache_reversible);
    db_double(&p, row->confidence);
    db_i64(&p, row->intervals);
    db_i64(&p, row->analyses);
    db_text(&p, row->level_note);
    return db_query(db, &sql_comparison_put, &p, NULL, e);
}

int repo_projection_progress(struct db *db, const char *run, const struct run_progress *g, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int written;

    db_text(&p, run);
    db_i64(&p, g->version);
    db_i64(&p, g->done);
    db_double(&p, g->eta_s);
    db_bool(&p, g->half_notified);
    db_bool(&p, g->promise_notified);
    db_i64(&p, g->strata_notified);
    db_double(&p, g->eta_error_s);
    if (db_query(db, &sql_projection_progress, &p, &q, e) < 0)
        return -1;
    written = q.affected > 0;
    db_rows_release(&q);
    return written;
}

int repo_projection_pace(struct db *db, const char *run, struct run_pace *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, &sql_projection_pace, &p, &q, e) < 0)
        return -1;
    *out = (struct run_pace){.first = db_get_time(&q, 0, 0),
                             .cached = db_get_double(&q, 0, 1),
                             .count = db_get_double(&q, 0, 2),
                             .c = db_get_double(&q, 0, 3),
                             .t = db_get_double(&q, 0, 4),
                             .cc = db_get_double(&q, 0, 5),
                             .ct = db_get_double(&q, 0, 6),
                             .tt = db_get_double(&q, 0, 7)};
    db_rows_release(&q);
    return 0;
}

int repo_projection_profile_total(struct db *db, const char *run, double *total_s, bool *ns, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, &sql_projection_profile_total, &p, &q, e) < 0)
        return -1;
    *ns = q.count > 0 && db_get_bool(&q, 0, 1);
    *total_s = *ns ? db_get_double(&q, 0, 0) : NAN;
    db_rows_release(&q);
    return 0;
}
