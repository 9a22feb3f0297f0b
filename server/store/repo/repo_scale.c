#include "server/store/repo/repo_scale.h"
#include "server/store/repo/sql/statements.h"

int repo_scale_demand(struct db *db, struct scale_demand *out, struct err *e)
{
    struct db_rows q;

    if (db_query(db, &sql_scale_demand, NULL, &q, e) < 0)
        return -1;
    out->ready_jobs = (uint64_t)db_get_i64(&q, 0, 0);
    out->expected_s = db_get_double(&q, 0, 1);
    out->busy = (uint32_t)db_get_i64(&q, 0, 2);
    db_rows_release(&q);
    return 0;
}

int repo_scale_report(struct db *db, const struct scale_report *r, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, r->kind);
    db_i64(&p, r->wanted);
    db_i64(&p, r->running);
    db_i64(&p, r->waiting);
    db_text(&p, r->problem);
    db_time(&p, now);
    return db_query(db, &sql_scale_report, &p, NULL, e);
}

int repo_scale_forget(struct db *db, struct err *e)
{
    return db_query(db, &sql_scale_forget, NULL, NULL, e);
}
