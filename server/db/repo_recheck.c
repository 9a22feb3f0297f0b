#include "server/db/repo_recheck.h"

#include <stdio.h>

#include "server/db/side_lease.h"

#define ATTEMPTS_MAX SIDE_ATTEMPTS_MAX
#define LOST         SIDE_LOST("a")
#define AGAIN        "$3::boolean AND attempt < " ATTEMPTS_MAX

extern const struct db_stmt repo_recheck_stmts[];
const struct db_stmt repo_recheck_stmts[] = {
    {"recheck_make",
     "INSERT INTO result_recheck (result_id, worker, made_at) SELECT t.id, t.worker, $2::timestamptz"
     "  FROM result t WHERE t.id = ANY($1::uuid[]) AND t.engine = 'cycle' AND t.worker IS NOT NULL"
     " ON CONFLICT DO NOTHING"},
    {"recheck_waiting",
     "SELECT 1 FROM result_recheck a JOIN result t ON t.id = a.result_id WHERE a.state IN ('ready', 'leased')"
     "   AND EXISTS (SELECT FROM worker_session w WHERE w.state = 'alive' AND w.name <> a.worker"
     "                  AND w.simulator = t.simulator AND 'cycle' = ANY(w.engines)) LIMIT 1"},
    {"recheck_take",
     "WITH p AS (SELECT a.id, a.attempt + 1 AS attempt, t.trace_sha256, t.design_sha256, t.inside_kernels,"
     "                  greatest($4::bigint, 60 + ceil(4 * coalesce(t.host_seconds, 0))::bigint) AS time_s"
     "             FROM result_recheck a JOIN result t ON t.id = a.result_id"
     "            WHERE t.simulator = $3 AND t.discard_id IS NULL AND a.attempt < " ATTEMPTS_MAX
     "              AND a.worker <> (SELECT name FROM worker_session WHERE id = $2::uuid)"
     "              AND (a.state = 'ready' OR " LOST ")"
     "            ORDER BY a.made_at LIMIT 1 FOR UPDATE OF a SKIP LOCKED),"
     "     taken AS (UPDATE result_recheck a SET state = 'leased', attempt = p.attempt, session_id = $2::uuid,"
     "                      deadline_at = $1::timestamptz + make_interval(secs => p.time_s)"
     "                 FROM p WHERE a.id = p.id)"
     " SELECT p.id, p.attempt, p.trace_sha256, b.bytes, p.design_sha256, d.name, t.program_sha256, q.bytes,"
     "        p.time_s, p.inside_kernels FROM p LEFT JOIN blob b ON b.sha256 = p.trace_sha256"
     "   LEFT JOIN design d ON d.sha256 = p.design_sha256 LEFT JOIN trace t ON t.sha256 = p.trace_sha256"
     "   LEFT JOIN blob q ON q.sha256 = t.program_sha256"},
    {"recheck_held",
     "SELECT t.id, t.digest, w.name, t.trace_sha256, t.design_sha256, t.simulator, coalesce(w.token_id, 0)"
     "  FROM result_recheck a JOIN result t ON t.id = a.result_id JOIN worker_session w ON w.id = a.session_id"
     " WHERE a.id = $1::uuid AND a.attempt = $2::integer AND a.state = 'leased' FOR UPDATE OF a"},
    {"recheck_compared",
     "UPDATE result_recheck SET state = 'done', deadline_at = NULL, session_id = NULL, second = $2,"
     "   agrees = $3::boolean, finished_at = $4::timestamptz WHERE id = $1::uuid"},
    {"recheck_failed", "UPDATE result_recheck SET deadline_at = NULL, session_id = NULL,"
                       "   state = (CASE WHEN " AGAIN " THEN 'ready' ELSE 'failed' END)::recording_state,"
                       "   why = CASE WHEN NOT (" AGAIN ") THEN $2::text END,"
                       "   finished_at = CASE WHEN NOT (" AGAIN ") THEN $4::timestamptz END WHERE id = $1::uuid"},
    {"recheck_give_up",
     "UPDATE result_recheck a SET state = 'failed', session_id = NULL, deadline_at = NULL,"
     "   finished_at = $1::timestamptz, why = CASE WHEN t.simulator <> $2 THEN"
     "     'the farm''s simulator is another version now' ELSE 'three workers took it, and none said how it ended' "
     "END"
     "  FROM result t WHERE t.id = a.result_id AND a.state IN ('ready', 'leased') AND ((t.simulator <> $2"
     "   AND (a.state = 'ready' OR " LOST ")) OR (a.attempt >= " ATTEMPTS_MAX " AND " LOST "))"},
    {"recheck_differing", "SELECT result_id, worker, second FROM result_recheck WHERE NOT agrees AND NOT acted"
                          " ORDER BY id LIMIT 100"},
    {NULL, NULL},
};

int repo_recheck_make(struct db *db, const char *results, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, results);
    db_time(&p, now);
    return db_query(db, "recheck_make", &p, NULL, e);
}

int repo_recheck_waiting(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_any(db, "recheck_waiting", &none, e);
}

int repo_recheck_take(struct db *db, const struct session_row *session, const struct claim_limits *limits,
                      wall_us now, struct lease_list *leases, struct err *e)
{
    return side_lease_take(db, "recheck_take", session, limits, now, SIDE_PLAIN, leases, e);
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

int repo_recheck_compared(struct db *db, const char *id, const char *second, bool agrees, wall_us now,
                          struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, second);
    db_bool(&p, agrees);
    db_time(&p, now);
    return db_query(db, "recheck_compared", &p, NULL, e);
}

int repo_recheck_failed(struct db *db, const char *id, const char *why, bool again, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, why);
    db_bool(&p, again);
    db_time(&p, now);
    return db_query(db, "recheck_failed", &p, NULL, e);
}

int repo_recheck_give_up(struct db *db, const char *simulator, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_text(&p, simulator);
    return db_query(db, "recheck_give_up", &p, NULL, e);
}

int repo_recheck_differing(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "recheck_differing", &none, out, e);
}
