#include "server/store/repo/repo_blob.h"

/* Nothing refers to blob b, and nobody has wanted it since $1. Jobs that are not over keep their trace even where
 * the launch was bound to another since. */
#define UNREFERENCED                                                                                               \
    "b.touched_at < $1::timestamptz"                                                                               \
    "   AND NOT EXISTS (SELECT FROM profile p WHERE p.blob_sha256 = b.sha256 OR p.traces_sha256 = b.sha256)"       \
    "   AND NOT EXISTS (SELECT FROM upload u LEFT JOIN import i ON i.upload_id = u.id"                             \
    "                    WHERE u.sha256 = b.sha256 AND (u.state = 'open' OR i.state IN ('queued', 'reading')))"    \
    "   AND NOT EXISTS (SELECT FROM task k WHERE k.trace_sha256 = b.sha256 AND k.state IN ('ready', 'leased'))"    \
    "   AND NOT EXISTS (SELECT FROM used_trace t WHERE t.sha256 = b.sha256)"                                       \
    "   AND NOT EXISTS (SELECT FROM used_trace t WHERE t.program_sha256 = b.sha256)"
#define USED_TRACE                                                                                                 \
    "WITH live_job AS MATERIALIZED (SELECT DISTINCT trace_sha256 FROM job"                                         \
    "                                WHERE state IN ('blocked', 'ready', 'leased') AND trace_sha256 IS NOT NULL"   \
    "  UNION SELECT trace_sha256 FROM task WHERE state IN ('ready', 'leased')),"                                   \
    " used_trace AS MATERIALIZED (SELECT t.sha256, t.program_sha256 FROM trace t WHERE t.created_at >= "           \
    "$1::timestamptz"                                                                                              \
    "    OR EXISTS (SELECT FROM trace_binding g WHERE g.trace_sha256 = t.sha256)"                                  \
    "    OR t.sha256 IN (SELECT trace_sha256 FROM live_job))"

extern const struct db_stmt repo_blob_stmts[];
const struct db_stmt repo_blob_stmts[] = {
    {"blob_announce", "INSERT INTO blob_pending (sha256, going, at) VALUES ($1::text, false, $2::timestamptz)"
                      " ON CONFLICT (sha256) DO UPDATE SET at = excluded.at WHERE NOT blob_pending.going"},
    {"blob_put", "INSERT INTO blob (sha256, bytes, created_at, touched_at)"
                 " VALUES ($1::text, $2::bigint, $3::timestamptz, $3::timestamptz)"
                 " ON CONFLICT (sha256) DO UPDATE SET touched_at = excluded.touched_at, quarantined_at = NULL"},
    {"blob_owner_put", "INSERT INTO blob_owner (sha256, team_id, created_at, bytes)"
                       " VALUES ($1::text, $2::bigint, $3::timestamptz, $4::bigint) ON CONFLICT DO NOTHING"},
    {"blob_arrived", "DELETE FROM blob_pending WHERE sha256 = $1::text AND NOT going"},
    {"blob_of_team", "SELECT b.bytes FROM blob b JOIN blob_owner o USING (sha256)"
                     " WHERE b.sha256 = $1::text AND o.team_id = $2::bigint AND b.quarantined_at IS NULL"},
    /* few rows are leased at a time: no index on the job's trace is worth its price */
    {"blob_of_lease", "SELECT 1 FROM worker_session s JOIN job j ON j.session_id = s.id AND j.state = 'leased'"
                      "  LEFT JOIN trace t ON t.sha256 = j.trace_sha256"
                      " WHERE s.state = 'alive' AND coalesce(s.token_id, $2::bigint) = $2::bigint"
                      "   AND (j.trace_sha256 = $1::text OR t.program_sha256 = $1::text)"
                      " UNION ALL SELECT 1 FROM worker_session s"
                      "  JOIN task k ON k.session_id = s.id AND k.state = 'leased'"
                      "  LEFT JOIN trace t ON t.sha256 = k.trace_sha256 AND k.kind <> 'cache_check'"
                      " WHERE s.state = 'alive' AND coalesce(s.token_id, $2::bigint) = $2::bigint"
                      "   AND (k.trace_sha256 = $1::text OR t.program_sha256 = $1::text) LIMIT 1"},
    {"blob_touch", "UPDATE blob SET touched_at = $2::timestamptz"
                   " WHERE sha256 = $1::text AND touched_at < $2::timestamptz - interval '1 hour'"},
    {"blob_unreferenced",
     USED_TRACE " SELECT b.sha256, b.bytes FROM blob b WHERE " UNREFERENCED " ORDER BY b.sha256"},
    {"trace_condemn",
     USED_TRACE " DELETE FROM trace t WHERE t.sha256 IN (SELECT b.sha256 FROM blob b WHERE " UNREFERENCED
                ") AND NOT EXISTS (SELECT FROM used_trace u WHERE u.sha256 = t.sha256)"},
    {"blob_condemn",
     USED_TRACE ", gone AS (DELETE FROM blob d WHERE d.sha256 IN (SELECT b.sha256 FROM blob b WHERE " UNREFERENCED
                " AND NOT EXISTS (SELECT FROM trace t WHERE t.sha256 = b.sha256 OR t.program_sha256 = b.sha256)"
                " ORDER BY b.sha256 LIMIT 1000 FOR UPDATE OF b SKIP LOCKED) RETURNING d.sha256)"
                " INSERT INTO blob_pending (sha256, going, at) SELECT sha256, true, $2::timestamptz FROM gone"
                " ON CONFLICT (sha256) DO UPDATE SET at = excluded.at WHERE blob_pending.going"},
    {"blob_condemn_stale", "UPDATE blob_pending p SET going = true WHERE NOT p.going AND p.at < $1::timestamptz"
                           "   AND NOT EXISTS (SELECT FROM blob b WHERE b.sha256 = p.sha256)"},
    {"blob_is_orphan", "SELECT WHERE NOT EXISTS (SELECT FROM blob WHERE sha256 = $1::text)"
                       "   AND NOT EXISTS (SELECT FROM blob_pending WHERE sha256 = $1::text)"},
    {"blob_condemn_orphan", "INSERT INTO blob_pending (sha256, going, at) SELECT $1::text, true, $2::timestamptz"
                            " WHERE NOT EXISTS (SELECT FROM blob WHERE sha256 = $1::text) ON CONFLICT DO NOTHING"},
    {"blob_going", "SELECT sha256 FROM blob_pending WHERE going AND sha256 > $1::text ORDER BY sha256 LIMIT 1000"},
    {"blob_going_lock", "SELECT FROM blob_pending WHERE sha256 = $1::text AND going FOR UPDATE"},
    {"blob_gone", "DELETE FROM blob_pending WHERE sha256 = $1::text AND going"},
    {"blob_to_scrub", "SELECT sha256, bytes FROM blob WHERE quarantined_at IS NULL"
                      "   AND coalesce(scrubbed_at, created_at - interval '1 second') < $1::timestamptz"
                      " ORDER BY scrubbed_at NULLS FIRST, sha256 LIMIT 100"},
    {"blob_scrubbed", "UPDATE blob SET scrubbed_at = $3::timestamptz,"
                      "       quarantined_at = CASE WHEN $2::boolean THEN quarantined_at ELSE $3::timestamptz END"
                      " WHERE sha256 = $1::text"},
    {NULL, NULL},
};

static int64_t count_of(struct db_rows *r)
{
    int64_t n = r->count > r->affected ? r->count : r->affected;

    db_rows_release(r);
    return n;
}

/* Statements that name a blob and, most of them, a time. */
static int about(struct db *db, const char *stmt, const char *sha256, wall_us at, int64_t *count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_text(&p, sha256);
    if (at)
        db_time(&p, at);
    if (db_query(db, stmt, &p, &r, e) < 0)
        return -1;
    *count = count_of(&r);
    return 0;
}

int repo_blob_announce(struct db *db, const char *sha256, wall_us now, struct err *e)
{
    int64_t n;

    if (about(db, "blob_announce", sha256, now, &n, e) < 0)
        return -1;
    return n ? 0 : err_set(e, ERR_BUSY, "the blob %.12s… is being removed at this moment", sha256);
}

int repo_blob_put(struct db *db, const char *sha256, uint64_t bytes, int64_t team, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, q = DB_PARAMS_INIT;
    int64_t n;

    db_text(&p, sha256);
    db_u64(&p, bytes);
    db_time(&p, now);
    if (db_query(db, "blob_put", &p, NULL, e) < 0)
        return -1;
    db_text(&q, sha256);
    db_i64(&q, team);
    db_time(&q, now);
    db_u64(&q, bytes);
    if (db_query(db, "blob_owner_put", &q, NULL, e) < 0)
        return -1;
    return about(db, "blob_arrived", sha256, 0, &n, e);
}

int repo_blob_of_team(struct db *db, const char *sha256, int64_t team, uint64_t *bytes, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, sha256);
    db_i64(&p, team);
    if (db_query(db, "blob_of_team", &p, &r, e) < 0)
        return -1;
    found = r.count;
    if (found && bytes)
        *bytes = db_get_u64(&r, 0, 0);
    db_rows_release(&r);
    return found;
}

int repo_blob_of_lease(struct db *db, const char *sha256, int64_t token, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, sha256);
    db_i64(&p, token);
    return db_any(db, "blob_of_lease", &p, e);
}

int repo_blob_touch(struct db *db, const char *sha256, wall_us now, struct err *e)
{
    int64_t n;

    return about(db, "blob_touch", sha256, now, &n, e);
}

int repo_blob_unreferenced(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, "blob_unreferenced", &p, out, e);
}

int repo_blob_condemn(struct db *db, wall_us before, wall_us now, int64_t *count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, q = DB_PARAMS_INIT;
    struct db_rows r;

    db_time(&p, before);
    if (db_query(db, "trace_condemn", &p, NULL, e) < 0)
        return -1;
    db_time(&q, before);
    db_time(&q, now);
    if (db_query(db, "blob_condemn", &q, &r, e) < 0)
        return -1;
    *count = count_of(&r);
    return 0;
}

int repo_blob_condemn_stale(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, "blob_condemn_stale", &p, NULL, e);
}

int repo_blob_is_orphan(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, "blob_is_orphan", sha256, 0, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_condemn_orphan(struct db *db, const char *sha256, wall_us now, struct err *e)
{
    int64_t n;

    return about(db, "blob_condemn_orphan", sha256, now, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_going(struct db *db, const char *after, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    return db_query(db, "blob_going", &p, out, e);
}

int repo_blob_going_lock(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, "blob_going_lock", sha256, 0, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_gone(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, "blob_gone", sha256, 0, &n, e);
}

int repo_blob_to_scrub(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, "blob_to_scrub", &p, out, e);
}

int repo_blob_scrubbed(struct db *db, const char *sha256, bool sound, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, sha256);
    db_bool(&p, sound);
    db_time(&p, now);
    return db_query(db, "blob_scrubbed", &p, NULL, e);
}
