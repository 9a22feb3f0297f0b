#include "server/db/repo_upload.h"

#include <stdio.h>

extern const struct db_stmt repo_upload_stmts[];
const struct db_stmt repo_upload_stmts[] = {
    {"upload_put",
     "INSERT INTO upload (id, team_id, name, workload, bytes, sha256, known, created_at)"
     " SELECT $1::uuid, $2::bigint, $3::text, $4::text, $5::bigint, nullif($6::text, ''), $7::boolean,"
     "        $8::timestamptz"
     "  WHERE (SELECT count(*) FROM upload WHERE team_id = $2::bigint AND state = 'open') < $9::bigint"},
    {"upload_get", "SELECT id, name, workload, bytes, coalesce(sha256, ''), known, state = 'finished' FROM upload"
                   " WHERE id = $1::uuid AND team_id = $2::bigint"},
    {"upload_received", "SELECT piece FROM upload_piece WHERE upload_id = $1::uuid ORDER BY piece"},
    {"upload_piece", "SELECT sha256 FROM upload_piece WHERE upload_id = $1::uuid AND piece = $2::integer"},
    {"upload_piece_put",
     "INSERT INTO upload_piece (upload_id, piece, sha256) VALUES ($1::uuid, $2::integer, $3::text)"
     " ON CONFLICT DO NOTHING"},
    {"upload_finish", "UPDATE upload SET state = 'finished' WHERE id = $1::uuid AND state = 'open'"},
    {"upload_delete", "DELETE FROM upload WHERE id = $1::uuid AND team_id = $2::bigint AND state = 'open'"},
    {"upload_expire", "DELETE FROM upload WHERE state = 'open' AND created_at < $1::timestamptz RETURNING id"},
    {NULL, NULL},
};

int repo_upload_put(struct db *db, const struct upload *u, int64_t team, uint64_t most, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int64_t made;

    db_text(&p, u->id);
    db_i64(&p, team);
    db_text(&p, u->name);
    db_text(&p, u->workload);
    db_u64(&p, u->bytes);
    db_text(&p, u->sha256);
    db_bool(&p, u->known);
    db_time(&p, now);
    db_u64(&p, most);
    if (db_query(db, "upload_put", &p, &r, e) < 0)
        return -1;
    made = r.affected;
    db_rows_release(&r);
    if (made)
        return 0;
    err_set(e, ERR_RATE_LIMITED, "there are %llu unfinished uploads already", (unsigned long long)most);
    return err_hint(e, "Finish or remove one of them (DELETE /api/v1/uploads/{id}).");
}

int repo_upload_get(struct db *db, const char *id, int64_t team, struct upload *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    if (!uuid_valid(id))
        return err_set(e, ERR_NOT_FOUND, "there is no upload with this id");
    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "upload_get", &p, &r, e) < 0)
        return -1;
    if (r.count == 0) {
        db_rows_release(&r);
        return err_set(e, ERR_NOT_FOUND, "there is no upload with this id");
    }
    snprintf(out->id, sizeof out->id, "%s", db_get(&r, 0, 0));
    snprintf(out->name, sizeof out->name, "%s", db_get(&r, 0, 1));
    snprintf(out->workload, sizeof out->workload, "%s", db_get(&r, 0, 2));
    out->bytes = db_get_u64(&r, 0, 3);
    snprintf(out->sha256, sizeof out->sha256, "%s", db_get(&r, 0, 4));
    out->known = db_get_bool(&r, 0, 5);
    out->finished = db_get_bool(&r, 0, 6);
    db_rows_release(&r);
    return 0;
}

int repo_upload_received(struct db *db, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, "upload_received", &p, out, e);
}

int repo_upload_piece(struct db *db, const char *id, uint64_t piece, char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, id);
    db_u64(&p, piece);
    if (db_query(db, "upload_piece", &p, &r, e) < 0)
        return -1;
    found = r.count;
    if (found)
        snprintf(sha256, 65, "%s", db_get(&r, 0, 0));
    db_rows_release(&r);
    return found;
}

int repo_upload_piece_put(struct db *db, const char *id, uint64_t piece, const char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, piece);
    db_text(&p, sha256);
    return db_query(db, "upload_piece_put", &p, NULL, e);
}

int repo_upload_finish(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, "upload_finish", &p, NULL, e);
}

int repo_upload_delete(struct db *db, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int64_t gone;

    if (!uuid_valid(id))
        return 0;
    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "upload_delete", &p, &r, e) < 0)
        return -1;
    gone = r.affected;
    db_rows_release(&r);
    return gone > 0;
}

int repo_upload_expire(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, "upload_expire", &p, out, e);
}
