#include "server/store/repo/repo_answer.h"

#include <stdio.h>

#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_run_fields.h"
#include "server/store/repo/sql/statements.h"

int repo_answer_put(struct db *db, const char *run, const struct answer_row *row, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, row->plan);
    db_time(&p, row->at);
    db_i64(&p, row->jobs);
    db_i64(&p, row->done);
    db_bool(&p, row->final);
    db_double(&p, row->confidence);
    db_i64(&p, row->baseline);
    return db_query(db, &sql_answer_put, &p, NULL, e);
}

int repo_answer_find(struct db *db, const char *run, struct answer_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *out = (struct answer_row){.at = 0};
    db_text(&p, run);
    if (db_query(db, &sql_answer_find, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(out->plan, sizeof out->plan, "%s", db_get(&q, 0, 0));
        out->at = db_get_time(&q, 0, 1);
        out->jobs = db_get_i64(&q, 0, 2);
        out->done = db_get_i64(&q, 0, 3);
        out->final = db_get_bool(&q, 0, 4);
        out->confidence = db_get_double(&q, 0, 5);
        out->baseline = (int)db_get_i64(&q, 0, 6);
    }
    db_rows_release(&q);
    return found;
}

int repo_answer_levels(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, &sql_answer_levels, &p, out, e);
}

int repo_answer_json(struct db *db, const char *run, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_json_of(db, &sql_answer_json, &p, answer_fields, out, e) < 0 ? -1 : 0;
}
