#include "server/store/repo/repo_plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sampling/plan_doubt.h"
#include "server/store/repo/repo_pack.h"
#include "wire/plan_json.h"

/* As look_possible() has it. */
#define PLAN_EXTENSIBLE                                                                                            \
    "(p.variance = 'samples' AND p.estimator <> 'instruction_ratio' AND NOT p.with_replacement AND NOT "           \
    "p.representative)"
#define PLAN_SUMMARY                                                                                               \
    "'id', p.id, 'workload', w.id, 'workload_name', w.name, 'profile', f.id, 'method', p.method, 'error', "        \
    "p.error,"                                                                                                     \
    "'confidence', p.confidence, 'seed', p.seed, 'unit', f.unit, 'promised_error', p.promised_error,"              \
    "'promise_valid', p.promise_valid, 'planned_df', p.planned_df, 'speedup', p.speedup,"                          \
    "'invocations', p.invocations, 'zero_invocations', p.zero_invocations, 'total', p.total::text,"                \
    "'share', p.share, 'noise_floor', p.noise_floor, 'budget', p.budget, 'least_samples', p.least_samples,"        \
    "'assurance', p.assurance, 'assured', p.assured, 'assured_noise', p.assured_noise,"                            \
    "'cost_fixed', p.cost_fixed, 'cost_per_unit', p.cost_per_unit, 'classifier', p.classifier,"                    \
    "'with_replacement', p.with_replacement, 'representative', p.representative, 'estimator', p.estimator,"        \
    "'variance', p.variance, 'caution', p.caution, 'note', p.note, 'extensible', " PLAN_EXTENSIBLE ","             \
    "'version', p.version, 'parent', p.parent_id, 'samples_count', p.samples, 'strata_count', p.strata, "          \
    "'actual_error', p.actual_error,"                                                                              \
    "'created_at', api_time(p.created_at)"
#define PLAN_FROM   " FROM plan p JOIN profile f ON f.id = p.profile_id JOIN workload w ON w.id = f.workload_id "
#define PLAN_SHOWN  " WHERE f.team_id = $1::bigint AND ($2::uuid IS NULL OR w.id = $2::uuid) AND p.parent_id IS NULL"
#define BY_ERROR    LIST_BY("error", LIST_NUMBER("p.error"))
#define BY_WORKLOAD LIST_BY("workload", LIST_TEXT("w.name"))
#define BY_METHOD   LIST_BY("method", LIST_TEXT("p.method"))
#define BY_STRATA   LIST_BY("strata", LIST_NUMBER("p.strata"))
#define BY_SAMPLES  LIST_BY("samples", LIST_NUMBER("p.samples"))
#define BY_SPEEDUP  LIST_BY("speedup", LIST_NUMBER("p.speedup"))
#define BY_PROMISED LIST_BY("promised", LIST_NUMBER("p.promised_error"))
#define BY_CREATED  LIST_BY("created", "api_time(p.created_at)")
#define BY_COLUMN   BY_ERROR BY_WORKLOAD BY_METHOD BY_STRATA BY_SAMPLES BY_SPEEDUP BY_PROMISED BY_CREATED
#define PLAN_KEY    LIST_KEY_SQL("CASE $5::text" BY_COLUMN " END", "$6")
#define PLAN_PAGE   LIST_PAGE("'{}'::uuid[]", "$6", "$7", "$3", "$4")
#define SAMPLE_FROM                                                                                                \
    " FROM sample s JOIN plan p ON p.id = s.plan_id JOIN kernel k ON k.profile_id = p.profile_id AND k.index = "   \
    "s.kernel"                                                                                                     \
    " JOIN plan_context c ON c.plan_id = p.id AND c.number = s.context_number"                                     \
    " WHERE s.plan_id = $1::uuid AND s.number > $2::integer AND ($4::bigint < 0 OR s.stratum = $4::bigint)"        \
    " ORDER BY s.number LIMIT $3::bigint"

extern const struct db_stmt repo_plan_stmts[];
const struct db_stmt repo_plan_stmts[] = {
    {"plan_put",
     "INSERT INTO plan (id, profile_id, method, error, confidence, seed, share, noise_floor, budget, least_samples,"
     "  cost_fixed, cost_per_unit, classifier, with_replacement, representative, estimator, variance, caution, "
     "note,"
     "  invocations, zero_invocations, total, promised_error, promise_valid, planned_df, speedup, actual_error,"
     "  strata, samples, file, created_at, assurance, assured, assured_noise)"
     " VALUES ($1::uuid, $2::uuid, $3, $4::float8, $5::float8, $6::bigint, $7::float8, $8::float8, $9::float8,"
     "  $10::integer, $11::float8, $12::float8, $13, $14::boolean, $15::boolean, $16, $17, $18, $19, $20::bigint,"
     "  $21::bigint, $22::numeric, api_number($23::float8), $24::boolean, api_number($25::float8),"
     "  api_number($26::float8), api_number($27::float8), $28::integer, $29::integer, $30, $31::timestamptz,"
     "  $32::float8, api_number($33::float8), api_number($34::float8))"},
    {"plan_put_strata",
     "INSERT INTO stratum (plan_id, number, kernel, kernel_name, mixed_shapes, grid, block, population, samples,"
     "                     mean, sd, total, certainty, planned_sd, cost, planned_variance)"
     " SELECT $1::uuid, number, kernel, name, mixed, ARRAY[gx, gy, gz], ARRAY[bx, by, bz], population, samples,"
     "        mean, sd, total, certainty, planned_sd, cost, variance"
     "   FROM unnest($2::integer[], $3::integer[], $4::text[], $5::boolean[], $6::bigint[], $7::bigint[],"
     "               $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[],"
     "               $14::float8[], $15::float8[], $16::numeric[], $17::boolean[], $18::float8[], $19::float8[],"
     "               $20::float8[])"
     "     AS c(number, kernel, name, mixed, gx, gy, gz, bx, by, bz, population, samples, mean, sd, total,"
     "          certainty, planned_sd, cost, variance)"},
    {"plan_put_contexts",
     "INSERT INTO plan_context (plan_id, number, device, process, context)"
     " SELECT $1::uuid, * FROM unnest($2::integer[], $3::integer[], $4::numeric[], $5::numeric[])"},
    {"plan_put_samples",
     "INSERT INTO sample (plan_id, number, invocation, stratum, draws, weight, value, kernel, context_number,"
     "                    launch_order)"
     " SELECT $1::uuid, * FROM unnest($2::integer[], $3::bigint[], $4::integer[], $5::integer[], $6::float8[],"
     "                                $7::numeric[], $8::integer[], $9::integer[], $10::bigint[])"},
    {"plan_exists", "SELECT 1 FROM plan WHERE id = $1::uuid"},
    {"plan_load", "SELECT file FROM plan WHERE id = $1::uuid"},
    {"plan_profile", "SELECT f.id FROM plan p JOIN profile f ON f.id = p.profile_id WHERE p.id = $1::uuid AND "
                     "f.team_id = $2::bigint"},
    {"plan_unit", "SELECT f.unit FROM plan p JOIN profile f ON f.id = p.profile_id WHERE p.id = $1::uuid"},
    {"plan_work",
     "SELECT p.profile_id, count(s.number)::float8, coalesce(sum(s.value), 0)::float8 FROM plan p"
     " JOIN profile f ON f.id = p.profile_id AND f.team_id = $2::bigint LEFT JOIN sample s ON s.plan_id = p.id"
     " WHERE p.id = $1::uuid GROUP BY p.profile_id"},
    {"plan_profile_of_team", "SELECT 1 FROM profile WHERE id = $1::uuid AND team_id = $2::bigint AND ready"},
    {"plan_json",
     "SELECT json_build_object(" PLAN_SUMMARY ", 'strata', coalesce((SELECT json_agg(json_build_object("
     "    'id', number, 'kernel', kernel_name, 'grid', grid, 'block', block, 'mixed_shapes', mixed_shapes,"
     "    'population', population, 'samples', samples, 'mean', mean, 'sd', sd, 'cov', sd / nullif(mean, 0), "
     "'total', total::text,"
     "    'share_of_time', CASE WHEN p.total > 0 THEN (total / p.total)::float8 ELSE 0 END, 'certainty', certainty,"
     "    'planned_sd', planned_sd, 'cost', cost, 'planned_variance_share',"
     "      CASE WHEN whole > 0 THEN planned_variance / whole ELSE 0 END) ORDER BY number)"
     "  FROM (SELECT *, sum(planned_variance) OVER () AS whole FROM stratum WHERE plan_id = p.id) s), '[]'::json),"
     " 'traces', (SELECT json_build_object('bound', t.bound, 'missing', p.samples - t.bound, 'in_file', CASE "
     "WHEN " PACK_WHOLE " THEN p.samples - t.bound ELSE 0 END) FROM (SELECT count(*) AS bound FROM trace_binding b"
     "    JOIN sample s ON s.plan_id = p.id AND s.invocation = b.invocation"
     "    WHERE b.profile_id = p.profile_id) t))::text" PLAN_FROM
     " WHERE p.id = $1::uuid AND f.team_id = $2::bigint"},
    {"plan_file", "SELECT p.file FROM plan p JOIN profile f ON f.id = p.profile_id WHERE p.id = $1::uuid AND "
                  "f.team_id = $2::bigint"},
    {"plan_list", "SELECT json_build_object(" PLAN_SUMMARY ")::text, p.id" PLAN_FROM PLAN_SHOWN
                  " AND ($3::text = '' OR p.id < nullif($3::text, '')::uuid)"
                  " ORDER BY p.id DESC LIMIT $4::bigint"},
    {"plan_sorted", "WITH k AS (SELECT p.id, " PLAN_KEY " AS key" PLAN_FROM PLAN_SHOWN ")," PLAN_PAGE
                    " SELECT json_build_object(" PLAN_SUMMARY ")::text, p.id, page.key" PLAN_FROM
                    " JOIN page ON page.id = p.id ORDER BY page.place"},
    {"plan_samples_json",
     "SELECT json_build_object('invocation', s.invocation, 'stratum', s.stratum, 'weight', s.weight, 'context',"
     "   json_build_object('device', c.device, 'process', c.process::text, 'context', c.context::text, 'index', "
     "c.number),"
     "   'launch_order', s.launch_order, 'kernel', k.name, 'mangled_name', k.mangled_name, 'grid', k.grid, 'block',"
     "   k.block, 'value', s.value)::text, s.number" SAMPLE_FROM},
    {"plan_samples",
     "SELECT s.invocation, s.stratum, s.weight, s.launch_order, c.number, c.device, c.process, c.context, k.name,"
     "       k.mangled_name, array_to_string(k.grid, 'x'), array_to_string(k.block, 'x'), s.value, "
     "s.number" SAMPLE_FROM},
    {"sweep_get", "SELECT answer FROM sweep WHERE profile_id = $1::uuid AND question = $2"},
    {"sweep_put", "INSERT INTO sweep (profile_id, question, answer, created_at)"
                  " SELECT id, $3, $4, $5::timestamptz FROM profile WHERE id = $1::uuid AND sha256 = $2 FOR SHARE"
                  " ON CONFLICT DO NOTHING"},
    {"sweep_clear", "DELETE FROM sweep WHERE profile_id = $1::uuid"},
    {NULL, NULL},
};

/* Array literals side by side; rows go out in slices, so that memory stays small and statements short. */
#define SLICE   10000
#define COLUMNS 19
struct slice {
    const char *stmt, *plan;
    size_t columns, rows;
    struct strbuf text[COLUMNS];
};

static void slice_begin(struct slice *s)
{
    s->rows = 0;
    for (size_t i = 0; i < s->columns; i++) {
        strbuf_clear(&s->text[i]);
        db_array_begin(&s->text[i]);
    }
}

static struct slice slice_new(const char *stmt, const char *plan, size_t columns)
{
    struct slice s = {.stmt = stmt, .plan = plan, .columns = columns};

    for (size_t i = 0; i < COLUMNS; i++)
        s.text[i] = (struct strbuf)STRBUF_INIT;
    slice_begin(&s);
    return s;
}

static int slice_send(struct slice *s, struct db *db, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int ret;

    if (s->rows == 0)
        return 0;
    db_text(&p, s->plan);
    for (size_t i = 0; i < s->columns; i++) {
        db_array_end(&s->text[i]);
        if (s->text[i].failed)
            return err_no_memory(e);
        db_text(&p, s->text[i].text);
    }
    ret = db_query(db, s->stmt, &p, NULL, e);
    slice_begin(s);
    return ret;
}

static int slice_row(struct slice *s, struct db *db, struct err *e)
{
    return ++s->rows >= SLICE ? slice_send(s, db, e) : 0;
}

static int slice_end(struct slice *s, struct db *db, int ret, struct err *e)
{
    if (ret == 0)
        ret = slice_send(s, db, e);
    for (size_t i = 0; i < COLUMNS; i++)
        strbuf_release(&s->text[i]);
    return ret;
}

static void add_u64(struct strbuf *b, uint64_t x)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, x);
    db_array_add(b, text);
}

static int put_row(struct db *db, const char *id, const char *profile_id, const struct plan *plan,
                   double actual_error, const char *file, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    char total[24];

    snprintf(total, sizeof total, "%" PRIu64, plan->total);
    db_text(&p, id);
    db_text(&p, profile_id);
    db_text(&p, plan->method);
    db_double(&p, plan->params.error);
    db_double(&p, plan->params.confidence);
    db_i64(&p, (int64_t)plan->params.seed);
    db_double(&p, plan->params.share);
    db_double(&p, plan->params.noise_floor);
    db_double(&p, plan->params.budget);
    db_i64(&p, plan->params.least_samples);
    db_double(&p, plan->params.cost_fixed);
    db_double(&p, plan->params.cost_per_unit);
    db_text(&p, plan_classifier_name(plan->params.classifier));
    db_bool(&p, plan->with_replacement);
    db_bool(&p, plan->representative);
    db_text(&p, plan_estimator_name(plan->estimator));
    db_text(&p, plan_variance_name(plan->variance));
    db_text(&p, plan->caution);
    db_text(&p, plan->note);
    db_i64(&p, (int64_t)plan->invocations);
    db_i64(&p, (int64_t)plan->zero_invocations);
    db_text(&p, total);
    db_double(&p, plan->promised_error);
    db_bool(&p, plan->promise_valid);
    db_double(&p, isinf(plan->planned_df) ? NAN : plan->planned_df);
    db_double(&p, plan->speedup);
    db_double(&p, actual_error);
    db_i64(&p, (int64_t)plan->stratum_count);
    db_i64(&p, (int64_t)plan->sample_count);
    db_text(&p, file);
    db_time(&p, now);
    db_double(&p, plan->params.assurance);
    db_double(&p, plan->assured);
    db_double(&p, plan->assured_noise);
    return db_query(db, "plan_put", &p, NULL, e);
}

static int put_strata(struct db *db, const char *id, const struct plan *plan, struct err *e)
{
    struct slice s = slice_new("plan_put_strata", id, 19);
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < plan->stratum_count; i++) {
        const struct plan_stratum *h = &plan->strata[i];

        db_array_add_i64(&s.text[0], (int64_t)i);
        db_array_add_i64(&s.text[1], h->kernel);
        db_array_add(&s.text[2], h->kernel_name);
        db_array_add(&s.text[3], h->mixed_shapes ? "t" : "f");
        for (int d = 0; d < 3; d++) {
            db_array_add_i64(&s.text[4 + d], h->grid[d]);
            db_array_add_i64(&s.text[7 + d], h->block[d]);
        }
        db_array_add_i64(&s.text[10], (int64_t)h->population);
        db_array_add_i64(&s.text[11], (int64_t)h->samples);
        db_array_add_double(&s.text[12], h->mean);
        db_array_add_double(&s.text[13], h->sd);
        add_u64(&s.text[14], h->total);
        db_array_add(&s.text[15], h->certainty ? "t" : "f");
        db_array_add_double(&s.text[16], h->planned_sd);
        db_array_add_double(&s.text[17], h->cost);
        db_array_add_double(&s.text[18], plan_stratum_variance(plan, i, h->samples));
        ret = slice_row(&s, db, e);
    }
    return slice_end(&s, db, ret, e);
}

static int put_contexts(struct db *db, const char *id, const struct profile *profile, struct err *e)
{
    struct slice s = slice_new("plan_put_contexts", id, 4);
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < profile->context_count; i++) {
        db_array_add_i64(&s.text[0], (int64_t)i);
        db_array_add_i64(&s.text[1], profile->contexts[i].device);
        add_u64(&s.text[2], profile->contexts[i].process);
        add_u64(&s.text[3], profile->contexts[i].context);
        ret = slice_row(&s, db, e);
    }
    return slice_end(&s, db, ret, e);
}

static int put_samples(struct db *db, const char *id, const struct profile *profile, const struct plan *plan,
                       struct err *e)
{
    struct slice s = slice_new("plan_put_samples", id, 9);
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < plan->sample_count; i++) {
        const struct plan_sample *a = &plan->samples[i];
        size_t c = profile_context_of(profile, a->invocation);

        db_array_add_i64(&s.text[0], (int64_t)i);
        db_array_add_i64(&s.text[1], (int64_t)a->invocation);
        db_array_add_i64(&s.text[2], a->stratum);
        db_array_add_i64(&s.text[3], a->draws);
        db_array_add_double(&s.text[4], a->weight);
        add_u64(&s.text[5], profile->value[a->invocation]);
        db_array_add_i64(&s.text[6], profile->kernel[a->invocation]);
        db_array_add_i64(&s.text[7], (int64_t)c);
        db_array_add_i64(&s.text[8], (int64_t)(a->invocation - profile->contexts[c].first));
        ret = slice_row(&s, db, e);
    }
    return slice_end(&s, db, ret, e);
}

int repo_plan_put(struct db *db, const char *id, const char *profile_id, const struct profile *profile,
                  const struct plan *plan, double actual_error, const char *file, wall_us now, struct err *e)
{
    if (put_row(db, id, profile_id, plan, actual_error, file, now, e) < 0 || put_strata(db, id, plan, e) < 0 ||
        put_contexts(db, id, profile, e) < 0)
        return -1;
    return put_samples(db, id, profile, plan, e);
}

int repo_plan_exists(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_any(db, "plan_exists", &p, e);
}

int repo_plan_load(struct db *db, const char *id, struct plan *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret;

    db_text(&p, id);
    if (db_query(db, "plan_load", &p, &q, e) < 0)
        return -1;
    if (q.count == 0)
        ret = err_set(e, ERR_NOT_FOUND, "there is no plan %s", id);
    else
        ret = plan_from_text(db_get(&q, 0, 0), strlen(db_get(&q, 0, 0)), out, e);
    db_rows_release(&q);
    return ret;
}

/* One text of a statement about one thing of one team. */
static int one_text(struct db *db, const char *stmt, const char *id, int64_t team, struct strbuf *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_text_of(db, stmt, &p, out, e);
}

int repo_plan_profile(struct db *db, const char *id, int64_t team, char *profile_id, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int found = one_text(db, "plan_profile", id, team, &text, e);

    if (found > 0)
        snprintf(profile_id, UUID_TEXT, "%s", text.text);
    strbuf_release(&text);
    return found;
}

int repo_plan_work(struct db *db, const char *id, int64_t team, struct plan_draws *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "plan_work", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(out->profile, sizeof out->profile, "%s", db_get(&q, 0, 0));
        out->launches = db_get_double(&q, 0, 1);
        out->units = db_get_double(&q, 0, 2);
    }
    db_rows_release(&q);
    return found;
}

int repo_plan_unit(struct db *db, const char *id, enum profile_unit *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    db_text(&p, id);
    if (db_query(db, "plan_unit", &p, &q, e) < 0)
        return -1;
    if (q.count == 0)
        ret = err_set(e, ERR_NOT_FOUND, "there is no plan %s", id);
    else if (profile_unit_from_name(db_get(&q, 0, 0), out) < 0)
        ret = err_set(e, ERR_INTERNAL, "the profile's unit \"%.20s\" is not known", db_get(&q, 0, 0));
    db_rows_release(&q);
    return ret;
}

int repo_plan_profile_of_team(struct db *db, const char *profile_id, int64_t team, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int found = one_text(db, "plan_profile_of_team", profile_id, team, &text, e);

    strbuf_release(&text);
    return found;
}

int repo_plan_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    return one_text(db, "plan_json", id, team, out, e);
}

int repo_plan_file(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    return one_text(db, "plan_file", id, team, out, e);
}

int repo_plan_list(struct db *db, int64_t team, const char *workload, const struct list_order *order,
                   struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, workload);
    db_text(&p, order->id);
    db_u64(&p, order->limit);
    if (!order->column[0])
        return db_query(db, "plan_list", &p, out, e);
    db_text(&p, order->column);
    db_bool(&p, order->largest_first);
    db_text(&p, order->key);
    return db_query(db, "plan_sorted", &p, out, e);
}

static int samples(struct db *db, const char *stmt, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                   struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    db_i64(&p, stratum);
    return db_query(db, stmt, &p, out, e);
}

int repo_plan_samples_json(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                           struct db_rows *out, struct err *e)
{
    return samples(db, "plan_samples_json", id, stratum, after, limit, out, e);
}

int repo_plan_samples(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                      struct db_rows *out, struct err *e)
{
    return samples(db, "plan_samples", id, stratum, after, limit, out, e);
}

int repo_sweep_get(struct db *db, const char *profile_id, const char *question, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile_id);
    db_text(&p, question);
    return db_text_of(db, "sweep_get", &p, out, e);
}

int repo_sweep_put(struct db *db, const char *profile_id, const char *sha256, const char *question,
                   const char *answer, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile_id);
    db_text(&p, sha256);
    db_text(&p, question);
    db_text(&p, answer);
    db_time(&p, now);
    return db_query(db, "sweep_put", &p, NULL, e);
}

int repo_sweep_clear(struct db *db, const char *profile_id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile_id);
    return db_query(db, "sweep_clear", &p, NULL, e);
}
