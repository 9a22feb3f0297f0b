#include "server/store/repo/repo_compare.h"

#include <stdio.h>

extern const struct db_stmt repo_compare_stmts[];
const struct db_stmt repo_compare_stmts[] = {
    {"compare_about", "SELECT w.id, w.name FROM run r JOIN plan p ON p.id = r.plan_id"
                      " JOIN profile f ON f.id = p.profile_id JOIN workload w ON w.id = f.workload_id"
                      " WHERE r.id = $1::uuid"},
    {"compare_designs", "SELECT coalesce(d.design_sha256, ''), coalesce(g.json, '') FROM run_design d"
                        " LEFT JOIN design g ON g.sha256 = d.design_sha256 WHERE d.run_id = $1::uuid"
                        " ORDER BY d.number"},
    {NULL, NULL},
};

int repo_compare_about(struct db *db, const char *run, struct run_about *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, "compare_about", &p, &q, e) < 0)
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
    return db_query(db, "compare_designs", &p, out, e);
}
