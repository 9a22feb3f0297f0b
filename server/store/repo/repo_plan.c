#include "server/store/repo/repo_plan.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sampling/parts/part.h"
#include "sampling/plan/plan_doubt.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/sql/statements.h"
#include "wire/plan_json.h"

#define PLAN_SUMMARY_FIELDS                                                                                        \
    FIELD_TEXT("id"), FIELD_TEXT("workload"), FIELD_TEXT("workload_name"), FIELD_TEXT("profile"),                  \
        FIELD_TEXT("method"), FIELD_NUMBER("error"), FIELD_NUMBER("confidence"), FIELD_NUMBER("seed"),             \
        FIELD_TEXT("unit"), FIELD_NUMBER("promised_error"), FIELD_BOOL("promise_valid"),                           \
        FIELD_NUMBER("planned_df"), FIELD_NUMBER("speedup"), FIELD_NUMBER("launches"),                             \
        FIELD_NUMBER("zero_launches"), FIELD_TEXT("total"), FIELD_NUMBER("share"), FIELD_NUMBER("noise_floor"),    \
        FIELD_NUMBER("budget"), FIELD_NUMBER("least_samples"), FIELD_NUMBER("assurance"), FIELD_NUMBER("assured"), \
        FIELD_NUMBER("assured_noise"), FIELD_NUMBER("cost_fixed"), FIELD_NUMBER("cost_per_unit"),                  \
        FIELD_TEXT("classifier"), FIELD_BOOL("with_replacement"), FIELD_BOOL("representative"),                    \
        FIELD_TEXT("estimator"), FIELD_TEXT("variance"), FIELD_TEXT("caution"), FIELD_TEXT("note"),                \
        FIELD_BOOL("extensible"), FIELD_NUMBER("version"), FIELD_TEXT("parent"), FIELD_NUMBER("samples_count"),    \
        FIELD_NUMBER("strata_count"), FIELD_NUMBER("actual_error"), FIELD_TEXT("created_at"),                      \
        FIELD_ROW("label", label_fields), FIELD_ROW("part", part_fields)

static const struct db_field label_fields[] = LABEL_FIELDS;
static const struct db_field part_fields[] = PLAN_PART_FIELDS;

static const struct db_field plan_strata_fields[] = {FIELD_NUMBER("id"),
                                                     FIELD_TEXT("kernel"),
                                                     FIELD_SHAPE("grid"),
                                                     FIELD_SHAPE("block"),
                                                     FIELD_BOOL("mixed_shapes"),
                                                     FIELD_NUMBER("population"),
                                                     FIELD_NUMBER("samples"),
                                                     FIELD_NUMBER("mean"),
                                                     FIELD_NUMBER("sd"),
                                                     FIELD_NUMBER("cov"),
                                                     FIELD_TEXT("total"),
                                                     FIELD_NUMBER("share_of_time"),
                                                     FIELD_BOOL("certainty"),
                                                     FIELD_NUMBER("planned_sd"),
                                                     FIELD_NUMBER("cost"),
                                                     FIELD_NUMBER("planned_variance_share"),
                                                     FIELDS_END};

static const struct db_field plan_traces_fields[] = {FIELD_NUMBER("bound"), FIELD_NUMBER("missing"),
                                                     FIELD_NUMBER("in_file"), FIELDS_END};

static const struct db_field plan_fields[] = {PLAN_SUMMARY_FIELDS,
                                              FIELD_ROWS_OR_EMPTY("strata", plan_strata_fields),
                                              FIELD_ROW("traces", plan_traces_fields), FIELDS_END};

static const struct db_field plan_list_fields[] = {PLAN_SUMMARY_FIELDS, FIELDS_END};

static const struct db_field plan_samples_context_fields[] = {
    FIELD_NUMBER("device"), FIELD_TEXT("process"), FIELD_TEXT("context"), FIELD_NUMBER("index"), FIELDS_END};

static const struct db_field plan_samples_fields[] = {FIELD_NUMBER("launch"),
                                                      FIELD_NUMBER("stratum"),
                                                      FIELD_NUMBER("weight"),
                                                      FIELD_ROW("context", plan_samples_context_fields),
                                                      FIELD_NUMBER("launch_order"),
                                                      FIELD_TEXT("kernel"),
                                                      FIELD_TEXT("mangled_name"),
                                                      FIELD_SHAPE("grid"),
                                                      FIELD_SHAPE("block"),
                                                      FIELD_NUMBER("value"),
                                                      FIELDS_END};

/* Parallel array literals, one for each column. Rows are inserted in slices, which limits the memory and the
 * length of the statements. */
#define SLICE   10000
#define COLUMNS 19
struct slice {
    const struct db_stmt *stmt;
    const char *plan;
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

static struct slice slice_new(const struct db_stmt *stmt, const char *plan, size_t columns)
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
    char total[24], steps[48], words[PLAN_ONLY + 80];

    snprintf(steps, sizeof steps, "%" PRIu64 "..%" PRIu64, plan->part.step_first, plan->part.step_last);
    part_text(&plan->part, words, sizeof words);
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
    db_i64(&p, (int64_t)plan->launches);
    db_i64(&p, (int64_t)plan->zero_launches);
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
    db_text(&p, plan->part.by[0] ? plan->part.by : NULL);
    db_text(&p, plan->part.only[0] ? plan->part.only : NULL);
    db_text(&p, plan->part.steps ? steps : NULL);
    db_text(&p, words[0] ? words : NULL);
    return db_query(db, &sql_plan_put, &p, NULL, e);
}

static int put_strata(struct db *db, const char *id, const struct plan *plan, struct err *e)
{
    struct slice s = slice_new(&sql_plan_put_strata, id, 19);
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
        db_array_add(&s.text[15], h->take_all ? "t" : "f");
        db_array_add_double(&s.text[16], h->planned_sd);
        db_array_add_double(&s.text[17], h->cost);
        db_array_add_double(&s.text[18], plan_stratum_variance(plan, i, h->samples));
        ret = slice_row(&s, db, e);
    }
    return slice_end(&s, db, ret, e);
}

static int put_contexts(struct db *db, const char *id, const struct profile *profile, struct err *e)
{
    struct slice s = slice_new(&sql_plan_put_contexts, id, 4);
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
    struct slice s = slice_new(&sql_plan_put_samples, id, 9);
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < plan->sample_count; i++) {
        const struct plan_sample *a = &plan->samples[i];
        size_t c = profile_context_of(profile, a->launch);

        db_array_add_i64(&s.text[0], (int64_t)i);
        db_array_add_i64(&s.text[1], (int64_t)a->launch);
        db_array_add_i64(&s.text[2], a->stratum);
        db_array_add_i64(&s.text[3], a->draws);
        db_array_add_double(&s.text[4], a->weight);
        add_u64(&s.text[5], profile->value[a->launch]);
        db_array_add_i64(&s.text[6], profile->kernel[a->launch]);
        db_array_add_i64(&s.text[7], (int64_t)c);
        db_array_add_i64(&s.text[8], (int64_t)(a->launch - profile->contexts[c].first));
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
    return db_any(db, &sql_plan_exists, &p, e);
}

int repo_plan_load(struct db *db, const char *id, struct plan *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret;

    db_text(&p, id);
    if (db_query(db, &sql_plan_load, &p, &q, e) < 0)
        return -1;
    if (q.count == 0)
        ret = err_set(e, ERR_NOT_FOUND, "there is no plan %s", id);
    else
        ret = plan_from_text(db_get(&q, 0, 0), strlen(db_get(&q, 0, 0)), out, e);
    db_rows_release(&q);
    return ret;
}

/* Reads one text by a statement with an id and a team. */
static int one_text(struct db *db, const struct db_stmt *stmt, const char *id, int64_t team, struct strbuf *out,
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
    int found = one_text(db, &sql_plan_profile, id, team, &text, e);

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
    if (db_query(db, &sql_plan_work, &p, &q, e) < 0)
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
    if (db_query(db, &sql_plan_unit, &p, &q, e) < 0)
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
    int found = one_text(db, &sql_plan_profile_of_team, profile_id, team, &text, e);

    strbuf_release(&text);
    return found;
}

int repo_plan_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_json_of(db, &sql_plan_json, &p, plan_fields, out, e);
}

int repo_plan_file(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    return one_text(db, &sql_plan_file, id, team, out, e);
}

int repo_plan_list(struct db *db, int64_t team, const char *workload, const struct label_filter *label,
                   const struct list_order *order, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, workload);
    db_text(&p, order->id);
    db_u64(&p, order->limit);
    db_text(&p, label->tag);
    db_bool(&p, label->archived);
    if (!order->column[0])
        return db_query_json(db, &sql_plan_list, &p, plan_list_fields, out, e);
    db_text(&p, order->column);
    db_bool(&p, order->largest_first);
    db_text(&p, order->key);
    return db_query_json(db, &sql_plan_sorted, &p, plan_list_fields, out, e);
}

static int samples(struct db *db, const struct db_stmt *stmt, const char *id, int64_t stratum, int64_t after,
                   uint64_t limit, struct db_rows *out, struct err *e)
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
    if (samples(db, &sql_plan_samples_json, id, stratum, after, limit, out, e) < 0)
        return -1;
    return db_json_column(out, 0, plan_samples_fields, e);
}

int repo_plan_samples(struct db *db, const char *id, int64_t stratum, int64_t after, uint64_t limit,
                      struct db_rows *out, struct err *e)
{
    return samples(db, &sql_plan_samples, id, stratum, after, limit, out, e);
}

int repo_sweep_get(struct db *db, const char *profile_id, const char *question, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile_id);
    db_text(&p, question);
    return db_text_of(db, &sql_sweep_get, &p, out, e);
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
    return db_query(db, &sql_sweep_put, &p, NULL, e);
}

int repo_sweep_clear(struct db *db, const char *profile_id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile_id);
    return db_query(db, &sql_sweep_clear, &p, NULL, e);
}
