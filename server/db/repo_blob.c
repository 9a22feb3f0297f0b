#include "server/db/repo_blob.h"

extern const struct db_stmt repo_blob_stmts[];
const struct db_stmt repo_blob_stmts[] = {
    {"blob_put", "INSERT INTO blob (sha256, bytes, created_at) VALUES ($1::text, $2::bigint, $3::timestamptz)"
                 " ON CONFLICT DO NOTHING"},
    {"blob_owner_put", "INSERT INTO blob_owner (sha256, team_id, created_at)"
                       " VALUES ($1::text, $2::bigint, $3::timestamptz) ON CONFLICT DO NOTHING"},
    {"blob_of_team", "SELECT b.bytes FROM blob b JOIN blob_owner o USING (sha256)"
                     " WHERE b.sha256 = $1::text AND o.team_id = $2::bigint"},
    {NULL, NULL},
};

int repo_blob_put(struct db *db, const char *sha256, uint64_t bytes, int64_t team, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, q = DB_PARAMS_INIT;

    db_text(&p, sha256);
    db_u64(&p, bytes);
    db_time(&p, now);
    if (db_query(db, "blob_put", &p, NULL, e) < 0)
        return -1;
    db_text(&q, sha256);
    db_i64(&q, team);
    db_time(&q, now);
    return db_query(db, "blob_owner_put", &q, NULL, e);
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
