#include "server/store/repo/repo_recheck.h"

#include <stdio.h>

extern const struct db_stmt repo_recheck_stmts[];
const struct db_stmt repo_recheck_stmts[] = {
    {"recheck_make",
     "WITH made AS (INSERT INTO task (kind, result_id, trace_sha256, design_sha256, simulator, inside_kernels,"
     "                                expected_s, not_worker, made_at)"
     "              SELECT 'recheck', r.id, r.trace_sha256, r.design_sha256, r.simulator, r.inside_kernels,"
     "                     coalesce(r.host_seconds, 0), r.worker, $2::timestamptz FROM result r"
     "               WHERE r.id = ANY($1::uuid[]) AND r.engine = 'cycle' AND r.worker IS NOT NULL"
     "              ON CONFLICT (result_id, kind) DO NOTHING RETURNING id)"
     " INSERT INTO recheck (task_id) SELECT id FROM made"},
    {"recheck_held",
     "SELECT r.id, r.digest, w.name, t.trace_sha256, t.design_sha256, t.simulator, coalesce(w.token_id, 0)"
     "  FROM task t JOIN result r ON r.id = t.result_id JOIN worker_session w ON w.id = t.session_id"
     " WHERE t.id = $1::uuid AND t.attempt = $2::integer AND t.state = 'leased' AND t.kind = 'recheck'"
     " FOR UPDATE OF t"},
    {"recheck_end", "WITH " TASK_END " UPDATE recheck SET second = $7, agrees = $8::boolean"
                    " WHERE task_id IN (SELECT id FROM ended)"},
    {"recheck_differing",
     "SELECT t.result_id, t.not_worker, c.second FROM recheck c JOIN task t ON t.id = c.task_id"
     " WHERE NOT c.agrees AND NOT c.acted ORDER BY t.id LIMIT 100"},
    {NULL, NULL},
};

int repo_recheck_make(struct db *db, const char *results, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, results);
    db_time(&p, now);
    return db_query(db, "recheck_make", &p, NULL, e);
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
    if (db_query(db, "recheck_held", &p, &q, e) < 0)
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
    return db_query(db, "recheck_end", &p, NULL, e);
}

int repo_recheck_failed(struct db *db, const struct task_end *end, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, end, now);
    db_text(&p, NULL);
    db_text(&p, NULL);
    return db_query(db, "recheck_end", &p, NULL, e);
}

int repo_recheck_differing(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "recheck_differing", &none, out, e);
}
