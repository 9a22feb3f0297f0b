#include "server/store/repo/repo_upload.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

int repo_storage_admit(struct db *db, int64_t team, uint64_t bytes, const struct storage_limits *l, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    uint64_t open_now, used, quota;
    struct db_rows r;

    db_i64(&p, team);
    if (db_query(db, &sql_upload_storage, &p, &r, e) < 0)
        return -1;
    open_now = r.count ? db_get_u64(&r, 0, 0) : 0;
    used = r.count ? db_get_u64(&r, 0, 1) : 0;
    quota = r.count && !db_is_null(&r, 0, 2) ? db_get_u64(&r, 0, 2) : l->quota_bytes;
    db_rows_release(&r);
    if (open_now >= l->uploads_max) {
        err_set(e, ERR_RATE_LIMITED, "there are %llu unfinished uploads already", (unsigned long long)open_now);
        return err_hint(
            e,
            "`vivace push` of the same file again finishes one of them; DELETE /api/v1/uploads/{id} removes one.");
    }
    if (bytes > quota) {
        err_set(e, ERR_TOO_LARGE, "%llu bytes are more than the %llu that this team may store",
                (unsigned long long)bytes, (unsigned long long)quota);
        return err_hint(e, "The operator of the farm can raise `team-quota`.");
    }
    if (used <= quota - bytes)
        return 0;
    err_set(e, ERR_NO_SPACE, "the team has %llu of its %llu bytes left, and this needs %llu",
            (unsigned long long)(quota > used ? quota - used : 0), (unsigned long long)quota,
            (unsigned long long)bytes);
    return err_hint(
        e, "Delete workloads that are no longer needed (their files go within a day), or have `team-quota` "
           "raised.");
}

struct reservation {
    const struct upload *upload;
    int64_t team;
    const struct storage_limits *limits;
    const struct idempotent_key *once;
    wall_us now;
};

static int reserve(struct db *db, void *ctx, struct err *e)
{
    const struct reservation *v = ctx;
    const struct upload *u = v->upload;
    struct db_params p = DB_PARAMS_INIT;

    if (repo_idempotency_made(db, v->once, u->id, e) < 0 ||
        repo_storage_admit(db, v->team, u->known ? 0 : u->bytes, v->limits, e) < 0)
        return -1;
    db_text(&p, u->id);
    db_i64(&p, v->team);
    db_text(&p, u->name);
    db_text(&p, u->workload);
    db_u64(&p, u->bytes);
    db_text(&p, u->sha256);
    db_bool(&p, u->known);
    db_time(&p, v->now);
    return db_query(db, &sql_upload_put, &p, NULL, e);
}

int repo_upload_put(struct db *db, const struct upload *u, int64_t team, const struct storage_limits *l,
                    const struct idempotent_key *once, wall_us now, struct err *e)
{
    struct reservation v = {u, team, l, once, now};

    return db_transaction(db, reserve, &v, e);
}

int repo_upload_get(struct db *db, const char *id, int64_t team, struct upload *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    if (!uuid_valid(id))
        return err_set(e, ERR_NOT_FOUND, "there is no upload with this id");
    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, &sql_upload_get, &p, &r, e) < 0)
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
    return db_query(db, &sql_upload_received, &p, out, e);
}

int repo_upload_piece(struct db *db, const char *id, uint64_t piece, char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, id);
    db_u64(&p, piece);
    if (db_query(db, &sql_upload_piece, &p, &r, e) < 0)
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
    return db_query(db, &sql_upload_piece_put, &p, NULL, e);
}

int repo_upload_finish(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, &sql_upload_finish, &p, NULL, e);
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
    if (db_query(db, &sql_upload_delete, &p, &r, e) < 0)
        return -1;
    gone = r.affected;
    db_rows_release(&r);
    return gone > 0;
}

int repo_upload_expire(struct db *db, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_upload_expire, &p, out, e);
}

int repo_upload_settle(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (!uuid_valid(id))
        return 0; /* deleted in between, together with its reservation */
    db_text(&p, id);
    return db_query(db, &sql_upload_settle, &p, NULL, e);
}

int repo_upload_forget(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_upload_forget, &p, NULL, e);
}

int repo_upload_gone(struct db *db, struct db_rows *out, struct err *e)
{
    return db_query(db, &sql_upload_gone, NULL, out, e);
}

int repo_upload_removed(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, &sql_upload_removed, &p, NULL, e);
}

int repo_upload_exists(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    if (!uuid_valid(id))
        return 0;
    db_text(&p, id);
    if (db_query(db, &sql_upload_exists, &p, &r, e) < 0)
        return -1;
    found = r.count;
    db_rows_release(&r);
    return found;
}
