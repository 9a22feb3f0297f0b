#include "server/store/repo/repo_recording.h"

#include <stdlib.h>
#include <string.h>

extern const struct db_stmt repo_recording_stmts[];
const struct db_stmt repo_recording_stmts[] = {
    /* Its id is the result's: workers report a recording by that. It takes longer than the job did, because the
     * table of intervals is kept. */
    {"recording_ask",
     "WITH again AS (UPDATE task SET state = 'ready', attempt = 0, session_id = NULL, why = NULL,"
     "                      made_at = $3::timestamptz, finished_at = NULL"
     "                WHERE result_id = $1::uuid AND kind = 'recording' AND state = 'failed' RETURNING id),"
     "     made AS (INSERT INTO task (id, kind, result_id, trace_sha256, design_sha256, simulator, expected_s,"
     "                                made_at) SELECT r.id, 'recording', r.id, r.trace_sha256, r.design_sha256, "
     "r.simulator,"
     "                     2 * coalesce(r.host_seconds, 0), $3::timestamptz FROM result r WHERE r.id = $1::uuid"
     "              ON CONFLICT (result_id, kind) DO NOTHING RETURNING id)"
     " INSERT INTO recording (task_id, asked_by) SELECT id, $2 FROM (TABLE again UNION ALL TABLE made) t"
     " ON CONFLICT (task_id) DO UPDATE SET asked_by = excluded.asked_by"},
    {"recording_json",
     "SELECT json_build_object('state', t.state, 'asked_by', c.asked_by, 'asked_at', api_time(t.made_at),"
     "   'finished_at', api_time(t.finished_at), 'bytes', octet_length(c.bytes), 'why', t.why)::text"
     "  FROM task t JOIN recording c ON c.task_id = t.id WHERE t.result_id = $1::uuid AND t.kind = 'recording'"},
    {"recording_bytes", "SELECT c.bytes FROM task t JOIN recording c ON c.task_id = t.id"
                        " WHERE t.result_id = $1::uuid AND t.kind = 'recording' AND t.state = 'done'"},
    {"recording_leased", "SELECT r.design_sha256, r.cycles FROM task t JOIN result r ON r.id = t.result_id"
                         " WHERE t.id = $1::uuid AND t.attempt = $2::integer AND t.session_id = $3::uuid"
                         "   AND t.state = 'leased' AND t.kind = 'recording'"},
    {"recording_end",
     "WITH " TASK_END " UPDATE recording SET bytes = $7::bytea WHERE task_id IN (SELECT id FROM ended)"},
    {NULL, NULL},
};

int repo_recording_ask(struct db *db, const char *result, const char *by, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    db_text(&p, by);
    db_time(&p, now);
    return db_any(db, "recording_ask", &p, e);
}

int repo_recording_json(struct db *db, const char *result, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    return db_text_of(db, "recording_json", &p, out, e);
}

int repo_recording_bytes(struct db *db, const char *result, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char *bytes = NULL;
    struct db_rows q;
    size_t n = 0;
    int found;

    db_text(&p, result);
    if (db_query(db, "recording_bytes", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found && db_get_bytes(&q, 0, 0, &bytes, &n, e) < 0)
        found = -1;
    db_rows_release(&q);
    if (found > 0)
        strbuf_add(out, bytes, n);
    free(bytes);
    return out->failed ? err_no_memory(e) : found;
}

int repo_recording_leased(struct db *db, const char *task, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e)
{
    return repo_task_held(db, "recording_leased", task, attempt, session, out, e);
}

int repo_recording_end(struct db *db, const struct task_end *end, const void *bytes, size_t n, wall_us now,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, end, now);
    if (bytes)
        db_bytes(&p, bytes, n);
    else
        db_text(&p, NULL);
    return db_query(db, "recording_end", &p, NULL, e);
}
