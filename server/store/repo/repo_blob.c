#include "server/store/repo/repo_blob.h"
#include "server/store/repo/sql/statements.h"

static int64_t count_of(struct db_rows *r)
{
    int64_t n = r->count > r->affected ? r->count : r->affected;

    db_rows_release(r);
    return n;
}

/* Runs a statement with a hash and an optional time. */
static int about(struct db *db, const struct db_stmt *stmt, const char *sha256, wall_us at, int64_t *count,
                 struct err *e)
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

    if (about(db, &sql_blob_announce, sha256, now, &n, e) < 0)
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
    if (db_query(db, &sql_blob_put, &p, NULL, e) < 0)
        return -1;
    db_text(&q, sha256);
    db_i64(&q, team);
    db_time(&q, now);
    db_u64(&q, bytes);
    if (db_query(db, &sql_blob_owner_put, &q, NULL, e) < 0)
        return -1;
    return about(db, &sql_blob_arrived, sha256, 0, &n, e);
}

int repo_blob_of_team(struct db *db, const char *sha256, int64_t team, uint64_t *bytes, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, sha256);
    db_i64(&p, team);
    if (db_query(db, &sql_blob_of_team, &p, &r, e) < 0)
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
    return db_any(db, &sql_blob_of_lease, &p, e);
}

int repo_blob_touch(struct db *db, const char *sha256, wall_us now, struct err *e)
{
    int64_t n;

    return about(db, &sql_blob_touch, sha256, now, &n, e);
}

int repo_blob_unreferenced(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_blob_unreferenced, &p, out, e);
}

int repo_blob_condemn(struct db *db, wall_us before, wall_us now, int64_t *count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, q = DB_PARAMS_INIT;
    struct db_rows r;

    db_time(&p, before);
    if (db_query(db, &sql_trace_condemn, &p, NULL, e) < 0)
        return -1;
    db_time(&q, before);
    db_time(&q, now);
    if (db_query(db, &sql_blob_condemn, &q, &r, e) < 0)
        return -1;
    *count = count_of(&r);
    return 0;
}

int repo_blob_condemn_stale(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_blob_condemn_stale, &p, NULL, e);
}

int repo_blob_is_orphan(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, &sql_blob_is_orphan, sha256, 0, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_condemn_orphan(struct db *db, const char *sha256, wall_us now, struct err *e)
{
    int64_t n;

    return about(db, &sql_blob_condemn_orphan, sha256, now, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_going(struct db *db, const char *after, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    return db_query(db, &sql_blob_going, &p, out, e);
}

int repo_blob_going_lock(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, &sql_blob_going_lock, sha256, 0, &n, e) < 0 ? -1 : n > 0;
}

int repo_blob_gone(struct db *db, const char *sha256, struct err *e)
{
    int64_t n;

    return about(db, &sql_blob_gone, sha256, 0, &n, e);
}

int repo_blob_to_scrub(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_blob_to_scrub, &p, out, e);
}

int repo_blob_scrubbed(struct db *db, const char *sha256, bool sound, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, sha256);
    db_bool(&p, sound);
    db_time(&p, now);
    return db_query(db, &sql_blob_scrubbed, &p, NULL, e);
}
