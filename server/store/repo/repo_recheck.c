#include "server/store/repo/repo_recheck.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

int repo_recheck_make(struct db *db, const char *results, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, results);
    db_time(&p, now);
    return db_query(db, &sql_recheck_make, &p, NULL, e);
}

static void copy(char *out, size_t size, const char *s)
{
    snprintf(out, size, "%s", s);
}

int repo_recheck_held(struct db *db, const char *id, uint32_t attempt, struct recheck *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, attempt);
    if (db_query(db, &sql_recheck_held, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        copy(out->result, sizeof out->result, db_get(&q, 0, 0));
        copy(out->digest, sizeof out->digest, db_get(&q, 0, 1));
        copy(out->second, sizeof out->second, db_get(&q, 0, 2));
        copy(out->trace_sha256, sizeof out->trace_sha256, db_get(&q, 0, 3));
        copy(out->design_sha256, sizeof out->design_sha256, db_get(&q, 0, 4));
        copy(out->simulator, sizeof out->simulator, db_get(&q, 0, 5));
        out->token = db_get_i64(&q, 0, 6);
    }
    db_rows_release(&q);
    return found;
}

int repo_recheck_compared(struct db *db, const struct task_end *end, const char *second, bool agrees, wall_us now,
                          struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, end, now);
    db_text(&p, second);
    db_bool(&p, agrees);
    return db_query(db, &sql_recheck_end, &p, NULL, e);
}

int repo_recheck_failed(struct db *db, const struct task_end *end, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, end, now);
    db_text(&p, NULL);
    db_text(&p, NULL);
    return db_query(db, &sql_recheck_end, &p, NULL, e);
}

int repo_recheck_differing(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_recheck_differing, &none, out, e);
}
