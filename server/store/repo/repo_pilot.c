#include "server/store/repo/repo_pilot.h"

#include <stdio.h>

#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_pack.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field pilot_fields[] = {FIELD_TEXT("id"),
                                               FIELD_TEXT("profile"),
                                               FIELD_TEXT("workload"),
                                               FIELD_TEXT("workload_name"),
                                               FIELD_TEXT("design"),
                                               FIELD_TEXT("design_sha256"),
                                               FIELD_JSON("wanted"),
                                               FIELD_TEXT("state"),
                                               FIELD_NUMBER("launches"),
                                               FIELD_NUMBER("simulated"),
                                               FIELD_NUMBER("not_simulated"),
                                               FIELD_TEXT("pilot_plan"),
                                               FIELD_TEXT("run"),
                                               FIELD_TEXT("run_state"),
                                               FIELD_TEXT("cycles"),
                                               FIELD_TEXT("plan"),
                                               FIELD_TEXT("note"),
                                               FIELD_TEXT("problem"),
                                               FIELD_TEXT("hint"),
                                               FIELD_NUMBER("tries"),
                                               FIELD_TEXT("created_by"),
                                               FIELD_TEXT("created_at"),
                                               FIELD_TEXT("finished_at"),
                                               FIELDS_END};

int repo_pilot_put(struct db *db, const struct pilot_new *x, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, x->id);
    db_text(&p, x->profile);
    db_text(&p, x->design);
    db_text(&p, x->design_name);
    db_text(&p, x->wanted);
    db_text(&p, x->pilot_plan);
    db_text(&p, x->by);
    db_time(&p, now);
    return db_query(db, &sql_pilot_put, &p, NULL, e);
}

static void copy(char *to, size_t size, const struct db_rows *q, int column)
{
    snprintf(to, size, "%s", db_get(q, 0, column));
}

static void read_row(const struct db_rows *q, struct pilot_row *out)
{
    copy(out->id, sizeof out->id, q, 0);
    copy(out->profile, sizeof out->profile, q, 1);
    copy(out->design, sizeof out->design, q, 2);
    copy(out->design_name, sizeof out->design_name, q, 3);
    copy(out->state, sizeof out->state, q, 4);
    copy(out->by, sizeof out->by, q, 5);
    copy(out->pilot_plan, sizeof out->pilot_plan, q, 6);
    copy(out->run, sizeof out->run, q, 7);
    copy(out->cycles, sizeof out->cycles, q, 8);
    copy(out->run_state, sizeof out->run_state, q, 9);
    copy(out->simulator, sizeof out->simulator, q, 10);
    copy(out->workload, sizeof out->workload, q, 11);
    out->team = db_get_i64(q, 0, 12);
    out->stuck = db_get_i64(q, 0, 13);
}

int repo_pilot_find(struct db *db, const char *id, int64_t team, struct pilot_row *out, struct strbuf *wanted,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, &sql_pilot_find, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_row(&q, out);
    if (found && wanted)
        strbuf_adds(wanted, db_get(&q, 0, 14));
    db_rows_release(&q);
    return wanted && wanted->failed ? err_no_memory(e) : found;
}

static int rows_of(struct db *db, const struct db_stmt *stmt, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (id)
        db_text(&p, id);
    return db_query(db, stmt, &p, out, e);
}

int repo_pilot_due(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_pilot_due, NULL, out, e);
}

int repo_pilot_move(struct db *db, const char *id, const struct pilot_move *m, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, m->from);
    db_text(&p, m->to);
    db_text(&p, m->run);
    db_text(&p, m->cycles);
    db_text(&p, m->plan);
    db_text(&p, m->note);
    db_text(&p, m->problem);
    db_text(&p, m->hint);
    db_time(&p, now);
    return db_any(db, &sql_pilot_move, &p, e);
}

int repo_pilot_retry(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_any(db, &sql_pilot_retry, &p, e);
}

int repo_pilot_failure(struct db *db, const char *run, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_text_of(db, &sql_pilot_failure, &p, out, e);
}

int repo_pilot_traced(struct db *db, const char *profile, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_pilot_traced, profile, out, e);
}

int repo_pilot_cycles(struct db *db, const char *workload, const char *sha256, char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, workload);
    db_text(&p, sha256);
    if (db_query(db, &sql_pilot_cycles, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        copy(id, UUID_TEXT, &q, 0);
    db_rows_release(&q);
    return found;
}

int repo_pilot_share_traces(struct db *db, const char *from, const char *to, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, file = DB_PARAMS_INIT;

    db_text(&p, from);
    db_text(&p, to);
    db_time(&p, now);
    db_text(&file, from);
    db_text(&file, to);
    return db_query(db, &sql_pilot_share_bound, &p, NULL, e) < 0
               ? -1
               : db_query(db, &sql_pilot_share_file, &file, NULL, e);
}

int repo_pilot_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_json_of(db, &sql_pilot_json, &p, pilot_fields, out, e);
}

int repo_pilot_list(struct db *db, const char *profile, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query_json(db, &sql_pilot_list, &p, pilot_fields, out, e);
}
