#include "server/store/repo/repo_passed_over.h"

#include <stdio.h>

#include "server/store/repo/sql/statements.h"

int repo_passed_over_of_job(struct db *db, const char *job, struct failed_launch *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    if (db_query(db, &sql_passed_over_of_job, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->launch = db_get_i64(&q, 0, 0);
        out->stratum = db_get_i64(&q, 0, 1);
        out->others = db_get_i64(&q, 0, 2);
        snprintf(out->noted, sizeof out->noted, "%s", db_get(&q, 0, 3));
    }
    db_rows_release(&q);
    return found;
}

int repo_passed_over_note(struct db *db, const char *job, bool replaced, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    db_bool(&p, replaced);
    db_time(&p, now);
    return db_any(db, &sql_passed_over_note, &p, e);
}

int repo_passed_over_forget(struct db *db, const char *job, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_any(db, &sql_passed_over_forget, &p, e);
}
