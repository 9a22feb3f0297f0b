#include "server/store/repo/repo_projection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "server/store/repo/repo_archive.h"
#include "wire/projection_json.h"

/* Of a done job `j` of run $1: its sample in plan $n, which the run had before or has now; NULL: none there. */
#define SAMPLE_OF(n)                                                                                               \
    "CASE WHEN r.plan_id = " n "::uuid THEN j.sample ELSE (SELECT a.number FROM sample s JOIN sample a"            \
    "   ON a.plan_id = " n "::uuid AND a.invocation = s.invocation"                                                \
    "   WHERE s.plan_id = r.plan_id AND s.number = j.sample) END"
#define NOT_AFTER(n) "(" n "::timestamptz IS NULL OR j.finished_at IS NULL OR j.finished_at <= " n "::timestamptz)"

extern const struct db_stmt repo_projection_stmts[];
const struct db_stmt repo_projection_stmts[] = {
    {"projection_designs",
     "SELECT d.name, d.clock_hz, f.gpu_name <> '' AND f.unit = 'ns' AND r.engine = 'cycle'"
     "       AND coalesce(f.gpu_name = ANY(g.gpu_names), false)"
     "  FROM run_design d JOIN run r ON r.id = d.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id LEFT JOIN design g ON g.sha256 = d.design_sha256"
     " WHERE d.run_id = $1::uuid ORDER BY d.number"},
    {"projection_values",
     "SELECT j.design, coalesce(" SAMPLE_OF(
         "$2") ", -1), t.value, t.empty_caches, t.cycles_warm_bound, t.projected_error FROM " JOBS_OF_ALL " j"
               "  JOIN result t ON t.id = j.result_id JOIN run r ON r.id = j.run_id"
               " WHERE j.run_id = $1::uuid AND j.state = 'done' AND " NOT_AFTER("$3")},
    {"projection_counters",
     "SELECT j.design, coalesce(" SAMPLE_OF(
         "$3") ", -1), (SELECT string_agg(coalesce(c.value, ''), ',' ORDER BY "
               "k.number)"
               "   FROM unnest($2::text[]) WITH ORDINALITY k(name, number) LEFT JOIN"
               "        json_to_recordset(t.body::json->'counters') c(name text, value text) ON c.name = k.name)"
               "  FROM " JOBS_OF_ALL " j JOIN result t ON t.id = j.result_id JOIN run r ON r.id = j.run_id"
               " WHERE j.run_id = $1::uuid AND j.state = 'done' AND t.engine = 'cycle' AND " NOT_AFTER("$4")},
    {"projection_put",
     "INSERT INTO projection (run_id, design, version, done, planned, complete, reweighted, unit, seconds_per_unit,"
     "  value, half_width, value_s, half_width_s, df, level, warning, makespan_s, measured_s, strata, "
     "variance_method,"
     "  computed_at, cross_checks, makespan_half_width_s, empty_caches, warm_bound, confidence, looks, level_note,"
     "  difference_level, difference_looks, makespan_interval_why_not, communication, projected_inside)"
     " VALUES ($1::uuid, $2::smallint, $3::bigint, $4::integer, $5::integer, $6::boolean, $7::boolean, $8,"
     "  $9::float8, $10::float8, $11::float8, $10::float8 * $9::float8, $11::float8 * $9::float8, "
     "api_number($12::float8),"
     "  $13::float8, $14, $15::float8, $16::float8, $17::json, $18, $19::timestamptz, $20::json, $21::float8,"
     "  $22::integer, $23::json, $24::float8, nullif($25::smallint, 0), nullif($26, ''), $27::float8,"
     "  CASE WHEN $27::float8 IS NOT NULL THEN nullif($28::smallint, 0) END, $29, $30::json, $31::integer)"
     " ON CONFLICT (run_id, design) DO UPDATE SET version = excluded.version, done = excluded.done,"
     "  planned = excluded.planned, complete = excluded.complete, reweighted = excluded.reweighted,"
     "  unit = excluded.unit, seconds_per_unit = excluded.seconds_per_unit, value = excluded.value,"
     "  half_width = excluded.half_width, value_s = excluded.value_s, half_width_s = excluded.half_width_s,"
     "  df = excluded.df, level = excluded.level, warning = excluded.warning, makespan_s = excluded.makespan_s,"
     "  measured_s = excluded.measured_s, strata = excluded.strata, variance_method = excluded.variance_method,"
     "  computed_at = excluded.computed_at, cross_checks = excluded.cross_checks,"
     "  makespan_half_width_s = excluded.makespan_half_width_s, empty_caches = excluded.empty_caches,"
     "  makespan_interval_why_not = excluded.makespan_interval_why_not,"
     "  communication = excluded.communication,"
     "  warm_bound = excluded.warm_bound, projected_inside = excluded.projected_inside,"
     "  confidence = excluded.confidence, looks = excluded.looks, level_note = excluded.level_note,"
     "  difference_level = excluded.difference_level, difference_looks = excluded.difference_looks"
     " WHERE projection.version < excluded.version"},
    {"projection_point",
     "INSERT INTO projection_point (run_id, design, done, value, half_width, value_s, half_width_s, at)"
     " VALUES ($1::uuid, $2::smallint, $3::integer, $4::float8, $5::float8, $4::float8 * $6::float8,"
     "         $5::float8 * $6::float8, $7::timestamptz)"
     " ON CONFLICT (run_id, design, done) DO UPDATE SET value = excluded.value, half_width = excluded.half_width,"
     "  value_s = excluded.value_s, half_width_s = excluded.half_width_s"},
    {"comparison_put",
     "INSERT INTO comparison (run_id, design, difference, half_width, difference_s, half_width_s, ratio,"
     "  ratio_half_width, df, level, paired_on, distinguishable, cache_reversible, confidence, intervals, looks,"
     "  level_note)"
     " VALUES ($1::uuid, $2::smallint, $3::float8, $4::float8, $3::float8 * $5::float8, $4::float8 * $5::float8,"
     "  $6::float8, $7::float8, api_number($8::float8), $9::float8, $10::bigint, $11::boolean, $12::boolean,"
     "  $13::float8, $14::integer, nullif($15::smallint, 0), nullif($16, ''))"
     " ON CONFLICT (run_id, design) DO UPDATE SET difference = excluded.difference, half_width = "
     "excluded.half_width,"
     "  difference_s = excluded.difference_s, half_width_s = excluded.half_width_s, ratio = excluded.ratio,"
     "  ratio_half_width = excluded.ratio_half_width, df = excluded.df, level = excluded.level,"
     "  paired_on = excluded.paired_on, distinguishable = excluded.distinguishable,"
     "  cache_reversible = excluded.cache_reversible, confidence = excluded.confidence,"
     "  intervals = excluded.intervals, looks = excluded.looks, level_note = excluded.level_note"},
    {"projection_progress", "UPDATE run SET projected_version = $2::bigint, done = $3::integer, eta_s = "
                            "$4::float8, half_said = $5::boolean,"
                            "       promise_said = $6::boolean, strata_said = $7::integer, eta_error_s = $8::float8"
                            " WHERE id = $1::uuid AND projected_version < $2::bigint"},
    /* A run of which some is leased has no job in the archive. What its first jobs and its latest ones say is
     * enough: all of a million would take longer than the work between two of these questions. */
    {"projection_pace",
     "SELECT (SELECT min(a.started_at) FROM (SELECT id FROM job WHERE run_id = $1::uuid AND state = 'done'"
     "          AND NOT cached ORDER BY seq LIMIT 1000) j, LATERAL (SELECT started_at FROM attempt"
     "          WHERE job_id = j.id AND outcome = 'ok' OFFSET 0) a),"
     "       (SELECT cached FROM run WHERE id = $1::uuid),"
     "       count(t.s), coalesce(sum(h.cost * sign(t.s)), 0), coalesce(sum(t.s), 0),"
     "       coalesce(sum(h.cost * h.cost * sign(t.s)), 0), coalesce(sum(h.cost * t.s), 0),"
     "       coalesce(sum(t.s * t.s), 0)"
     "  FROM run r, LATERAL (SELECT sample, result_id FROM job WHERE run_id = r.id AND state = 'done' AND NOT "
     "cached"
     "    ORDER BY seq DESC LIMIT 5000) j,"
     "  LATERAL (SELECT host_seconds AS s FROM result WHERE id = j.result_id AND host_seconds > 0"
     "    AND host_seconds < 3e8 OFFSET 0) t," /* its square is summed */
     "  LATERAL (SELECT stratum FROM sample WHERE plan_id = r.plan_id AND number = j.sample OFFSET 0) s,"
     "  LATERAL (SELECT cost FROM stratum WHERE plan_id = r.plan_id AND number = s.stratum OFFSET 0) h"
     " WHERE r.id = $1::uuid"},
    {"projection_profile_total",
     "SELECT (f.total / 1e9)::float8, f.unit = 'ns' FROM run r JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id WHERE r.id = $1::uuid"},
    {NULL, NULL},
};

int repo_projection_designs(struct db *db, const char *run, struct run_design_row **out, size_t *count,
                            struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct run_design_row *items;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, "projection_designs", &p, &q, e) < 0)
        return -1;
    items = mem_zalloc((size_t)q.count + 1, sizeof *items, e);
    *count = (size_t)q.count;
    for (int i = 0; items && i < q.count; i++) {
        snprintf(items[i].name, sizeof items[i].name, "%s", db_get(&q, i, 0));
        items[i].clock_hz = db_get_double(&q, i, 1);
        items[i].same_gpu = db_get_bool(&q, i, 2);
    }
    db_rows_release(&q);
    *out = items;
    return items ? 0 : -1;
}

/* For the parameters of SAMPLE_OF and NOT_AFTER. */
static void add_of(struct db_params *p, const struct projection_of *of)
{
    db_text(p, of->plan);
    if (of->until)
        db_time(p, of->until);
    else
        db_text(p, NULL);
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
    if (db_query(db, "projection_values", &p, &q, e) < 0)
        return -1;
    for (int i = 0; i < q.count; i++) {
        size_t d = (size_t)db_get_i64(&q, i, 0), s = (size_t)db_get_i64(&q, i, 1);

        if (d >= designs || s >= samples)
            continue;
        out->y[d * samples + s] = db_get_double(&q, i, 2);
        out->warm[d * samples + s] = db_get_double(&q, i, db_get_bool(&q, i, 3) ? 4 : 2);
        out->empty[d] += db_get_bool(&q, i, 3);
        if (db_is_null(&q, i, 5))
            continue;
        out->error[d * samples + s] = db_get_double(&q, i, 5);
        out->projected[d]++;
    }
    db_rows_release(&q);
    return 0;
}

/* "12,,7" -> one value a counter, NaN where there is none. */
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
    ret = names.failed ? err_no_memory(e) : db_query(db, "projection_counters", &p, &q, e);
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

/* Strata as one JSON array: thousands of them, so no tree is built. */
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
    return db_query(db, "projection_point", &p, NULL, e);
}

/* v: NULL: no memory. */
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
    db_i64(&p, row->looks);
    db_text(&p, row->level_note);
    db_double(&p, row->difference_level);
    db_i64(&p, row->difference_looks);
    db_text(&p, row->makespan_interval_why_not);
    db_text(&p, row->communication ? communication.text : NULL);
    db_i64(&p, (int64_t)row->projected_inside);
    ret = strata.failed || checks.failed || bound.failed || communication.failed || !list
              ? err_no_memory(e)
              : db_query(db, "projection_put", &p, NULL, e);
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
    db_i64(&p, row->looks);
    db_text(&p, row->level_note);
    return db_query(db, "comparison_put", &p, NULL, e);
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
    db_bool(&p, g->half_said);
    db_bool(&p, g->promise_said);
    db_i64(&p, g->strata_said);
    db_double(&p, g->eta_error_s);
    if (db_query(db, "projection_progress", &p, &q, e) < 0)
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
    if (db_query(db, "projection_pace", &p, &q, e) < 0)
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
    if (db_query(db, "projection_profile_total", &p, &q, e) < 0)
        return -1;
    *ns = q.count > 0 && db_get_bool(&q, 0, 1);
    *total_s = *ns ? db_get_double(&q, 0, 0) : NAN;
    db_rows_release(&q);
    return 0;
}
