#include "server/store/repo/repo_again.h"

#include <stdio.h>

#include "server/store/repo/sql/statements.h"

int repo_again_run(struct db *db, const char *run, struct again_run *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, run);
    if (db_query(db, &sql_again_run, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(out->state, sizeof out->state, "%s", db_get(&q, 0, 0));
        snprintf(out->simulator, sizeof out->simulator, "%s", db_get(&q, 0, 1));
        out->cycle = db_get_bool(&q, 0, 2);
        out->looked = db_get_bool(&q, 0, 3);
    }
    db_rows_release(&q);
    return found;
}

static int count_results(struct db *db, const char *run, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, &sql_again_results, &p, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_again_restart(struct db *db, const char *run, const char *simulator, int64_t *results, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, simulator);
    if (db_query(db, &sql_again_long_work, &none, NULL, e) < 0 || count_results(db, run, results, e) < 0 ||
        db_query(db, &sql_again_restart_jobs, &p, NULL, e) < 0)
        return -1;
    return db_query(db, &sql_again_restart_run, &p, NULL, e);
}
