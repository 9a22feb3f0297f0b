#include "server/db/repo_recording.h"

#include <stdlib.h>
#include <string.h>

#include "server/db/side_lease.h"

#define ATTEMPTS_MAX SIDE_ATTEMPTS_MAX
#define LOST         SIDE_LOST("c")

extern const struct db_stmt repo_recording_stmts[];
const struct db_stmt repo_recording_stmts[] = {
    {"recording_ask",
     "INSERT INTO recording (result_id, asked_by, asked_at) VALUES ($1::uuid, $2, $3::timestamptz)"
     " ON CONFLICT (result_id) DO UPDATE SET state = 'ready', attempt = 0, session_id = NULL, why = NULL,"
     "    asked_by = excluded.asked_by, asked_at = excluded.asked_at, finished_at = NULL"
     "  WHERE recording.state = 'failed'"},
    {"recording_json",
     "SELECT json_build_object('state', state, 'asked_by', asked_by, 'asked_at', api_time(asked_at), 'finished_at',"
     "   api_time(finished_at), 'bytes', octet_length(bytes), 'why', why)::text"
     "  FROM recording WHERE result_id = $1::uuid"},
    {"recording_bytes", "SELECT bytes FROM recording WHERE result_id = $1::uuid AND state = 'done'"},
    {"recording_give_up",
     "UPDATE recording c SET state = 'failed', session_id = NULL, deadline_at = NULL, finished_at = "
     "$1::timestamptz,"
     "   why = CASE WHEN r.simulator <> $2::text THEN $3::text"
     "         ELSE 'three workers took it, and none told how it ended' END"
     "  FROM result r WHERE r.id = c.result_id AND ((r.simulator <> $2::text AND (c.state = 'ready' OR " LOST ")"
     "     AND NOT EXISTS (SELECT FROM worker_session v WHERE v.state = 'alive' AND v.simulator = r.simulator))"
     "    OR (c.attempt >= " ATTEMPTS_MAX " AND " LOST "))"},
    {"recording_waiting", "SELECT 1 FROM recording WHERE state IN ('ready', 'leased') LIMIT 1"},
    /* The time it took, four times over: recording costs some, and another worker may be slower. */
    {"recording_take",
     "WITH p AS (SELECT c.result_id, c.attempt + 1 AS attempt, r.trace_sha256, r.design_sha256,"
     "                  greatest($4::bigint, 60 + ceil(4 * coalesce(r.host_seconds, 0))::bigint) AS time_s"
     "             FROM recording c JOIN result r ON r.id = c.result_id"
     "            WHERE r.simulator = $3 AND r.engine = 'cycle' AND c.attempt < " ATTEMPTS_MAX
     "              AND (c.state = 'ready' OR " LOST ")"
     "            ORDER BY c.asked_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED),"
     "     taken AS (UPDATE recording c SET state = 'leased', attempt = p.attempt, session_id = $2::uuid,"
     "                      deadline_at = $1::timestamptz + make_interval(secs => p.time_s)"
     "                 FROM p WHERE c.result_id = p.result_id)"
     " SELECT p.result_id, p.attempt, p.trace_sha256, b.bytes, p.design_sha256, d.name, t.program_sha256, q.bytes,"
     "        p.time_s, 0 FROM p LEFT JOIN blob b ON b.sha256 = p.trace_sha256"
     "   LEFT JOIN design d ON d.sha256 = p.design_sha256 LEFT JOIN trace t ON t.sha256 = p.trace_sha256"
     "   LEFT JOIN blob q ON q.sha256 = t.program_sha256"},
    {"recording_leased", "SELECT r.design_sha256, r.cycles FROM recording c JOIN result r ON r.id = c.result_id"
                         " WHERE c.result_id = $1::uuid AND c.attempt = $2::integer AND c.session_id = $3::uuid"
                         "   AND c.state = 'leased'"},
    {"recording_end",
     "UPDATE recording SET deadline_at = NULL, session_id = NULL, bytes = $4::bytea,"
     "   state = (CASE WHEN $4::bytea IS NOT NULL THEN 'done' WHEN $6::boolean AND attempt < " ATTEMPTS_MAX
     "                 THEN 'ready' ELSE 'failed' END)::recording_state,"
     "   why = CASE WHEN $4::bytea IS NULL AND NOT ($6::boolean AND attempt < " ATTEMPTS_MAX ") THEN $5::text END,"
     "   finished_at = CASE WHEN $4::bytea IS NOT NULL OR NOT ($6::boolean AND attempt < " ATTEMPTS_MAX
     "                      ) THEN $7::timestamptz END"
     " WHERE result_id = $1::uuid AND attempt = $2::integer AND session_id = $3::uuid AND state = 'leased'"},
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

int repo_recording_waiting(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_any(db, "recording_waiting", &none, e);
}

int repo_recording_give_up(struct db *db, const char *simulator, const char *why, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_text(&p, simulator);
    db_text(&p, why);
    return db_query(db, "recording_give_up", &p, NULL, e);
}

int repo_recording_take(struct db *db, const struct session_row *session, const struct claim_limits *limits,
                        wall_us now, struct lease_list *leases, struct err *e)
{
    return side_lease_take(db, "recording_take", session, limits, now, SIDE_RECORD, leases, e);
}

int repo_recording_leased(struct db *db, const char *result, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e)
{
    return side_lease_held(db, "recording_leased", result, attempt, session, out, e);
}

int repo_recording_end(struct db *db, const struct recording_end *end, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, end->result);
    db_i64(&p, end->attempt);
    db_text(&p, end->session);
    if (end->bytes)
        db_bytes(&p, end->bytes, end->n);
    else
        db_text(&p, NULL);
    db_text(&p, end->why);
    db_bool(&p, end->again);
    db_time(&p, now);
    return db_query(db, "recording_end", &p, NULL, e);
}
