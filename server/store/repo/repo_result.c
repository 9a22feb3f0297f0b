#include "server/store/repo/repo_result.h"

#include <math.h>
#include <stdio.h>

#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field result_discarded_fields[] = {FIELD_TEXT("at"), FIELD_TEXT("by"), FIELD_TEXT("why"),
                                                          FIELD_BOOL("quarantined"), FIELDS_END};

static const struct db_field result_use_fields[] = {FIELD_TEXT("run"),
                                                    FIELD_TEXT("job"),
                                                    FIELD_TEXT("plan"),
                                                    FIELD_TEXT("profile"),
                                                    FIELD_TEXT("workload"),
                                                    FIELD_TEXT("workload_name"),
                                                    FIELD_NUMBER("launch"),
                                                    FIELD_NUMBER("stratum"),
                                                    FIELD_TEXT("gpu_name"),
                                                    FIELD_NUMBER("profiled_ns"),
                                                    FIELDS_END};

#define COLUMNS     21
#define BEFORE_TIME 16 /* number of columns before the time */
static void add_row(struct strbuf *c, const struct result_row *row)
{
    const struct result *r = row->result;
    char partial[RESULT_PARTIAL_TEXT];

    db_array_add(&c[0], row->id);
    db_array_add(&c[1], row->key);
    db_array_add(&c[2], r->replay ? "replay" : "cycle");
    db_array_add(&c[3], r->replay ? NULL : r->trace_sha256);
    db_array_add(&c[4], r->replay ? NULL : r->design_sha256);
    db_array_add(&c[5], r->simulator);
    db_array_add_double(&c[6], (double)(r->replay ? r->value : r->cycles));
    db_array_add(&c[7], r->replay ? profile_unit_name(r->unit) : "cycles");
    db_array_add(&c[8], r->digest);
    for (int i = 9; i <= 11; i++) {
        uint64_t counts[] = {r->cycles, r->launch_cycles, r->warp_instructions};

        if (r->replay)
            db_array_add(&c[i], NULL);
        else
            db_array_add_i64(&c[i], (int64_t)counts[i - 9]);
    }
    db_array_add_double(&c[12], r->replay ? NAN : r->clock_hz);
    db_array_add_double(&c[13], r->host_seconds);
    db_array_add(&c[14], row->body);
    if (r->cycles_warm_bound)
        db_array_add_i64(&c[15], (int64_t)r->cycles_warm_bound);
    else
        db_array_add(&c[15], NULL);
    db_array_add(&c[16], row->worker);
    db_array_add_double(&c[17], row->inside_kernels);
    db_array_add_double(&c[18], r->projected ? r->projected_error : NAN);
    db_array_add(&c[19], r->foreign_isa[0] ? r->foreign_isa : NULL);
    db_array_add(&c[20], result_partial(r, partial) ? partial : NULL);
}

int repo_result_put(struct db *db, const struct result_row *rows, size_t count, wall_us now, size_t *fresh,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q = {.count = 0};
    struct strbuf c[COLUMNS];
    bool failed = false;
    int ret;

    for (int i = 0; i < COLUMNS; i++) {
        c[i] = (struct strbuf)STRBUF_INIT;
        db_array_begin(&c[i]);
    }
    for (size_t i = 0; i < count; i++)
        add_row(c, &rows[i]);
    for (int i = 0; i < COLUMNS; i++) {
        db_array_end(&c[i]);
        failed = failed || c[i].failed;
        if (i == BEFORE_TIME)
            db_time(&p, now);
        db_text(&p, c[i].text);
    }
    ret = failed ? err_no_memory(e) : db_query(db, &sql_result_put, &p, &q, e);
    *fresh = (size_t)q.affected;
    db_rows_release(&q);
    for (int i = 0; i < COLUMNS; i++)
        strbuf_release(&c[i]);
    return ret;
}

int repo_result_find(struct db *db, const char *keys, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, keys);
    return db_query(db, &sql_result_find, &p, out, e);
}

int repo_result_dispute(struct db *db, const char *result, const char *digest, const char *worker, const char *body,
                        wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    db_text(&p, digest);
    db_text(&p, worker);
    db_text(&p, body);
    db_time(&p, now);
    return db_query(db, &sql_result_dispute, &p, NULL, e);
}

int repo_result_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, &sql_result_get, &p, out, e) < 0)
        return -1;
    if (out->count > 0)
        return db_json_column(out, 10, result_discarded_fields, e) < 0 ? -1 : 1;
    db_rows_release(out);
    return 0;
}

int repo_result_brief(struct db *db, const char *id, int64_t team, struct result_brief *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, &sql_result_brief, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->replay = db_get_bool(&q, 0, 0);
        out->traced = db_get_bool(&q, 0, 2);
        out->discarded = db_get_bool(&q, 0, 3);
        out->projected = db_get_bool(&q, 0, 4);
        snprintf(out->simulator, sizeof out->simulator, "%s", db_get(&q, 0, 1));
    }
    db_rows_release(&q);
    return found;
}

int repo_result_use_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_json_of(db, &sql_result_use_json, &p, result_use_fields, out, e);
}

int repo_result_costs(struct db *db, const char *profile, const char *simulator, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, simulator);
    return db_query(db, &sql_result_costs, &p, out, e);
}

int repo_result_cycles(struct db *db, const char *profile, const char *design, const char *simulator,
                       struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, design);
    db_text(&p, simulator);
    return db_query(db, &sql_result_cycles, &p, out, e);
}
