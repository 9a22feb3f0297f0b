#include "server/store/repo/repo_compare.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

int repo_compare_about(struct db *db, const char *run, struct run_about *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, &sql_compare_about, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        snprintf(out->workload, sizeof out->workload, "%s", db_get(&q, 0, 0));
        strbuf_adds(&out->workload_name, db_get(&q, 0, 1));
    }
    db_rows_release(&q);
    return out->workload_name.failed ? err_no_memory(e) : 0;
}

void run_about_release(struct run_about *a)
{
    strbuf_release(&a->workload_name);
}

int repo_compare_designs(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, &sql_compare_designs, &p, out, e);
}
