#include "server/store/repo/repo_share.h"

#include <stdio.h>
#include <string.h>

extern const struct db_stmt repo_share_stmts[];
const struct db_stmt repo_share_stmts[] = {
    {"share_put",
     "INSERT INTO share (public_id, team_id, sha256, kind, object, name, hide_names, frozen_at, made_by, "
     "created_at,"
     "                   expires_at)"
     " VALUES ($1::uuid, $2::bigint, $3::bytea, $4::text, $5::uuid, $6::text, $7::boolean,"
     "         CASE WHEN $8::boolean THEN $10::timestamptz END, $9::text, $10::timestamptz, $11::timestamptz)"
     " RETURNING id"},
    {"share_by_secret", "SELECT id, team_id, kind, object, coalesce(nullif(name, ''), 'share link'), hide_names, "
                        "frozen_at IS NOT NULL FROM share"
                        " WHERE sha256 = $1::bytea AND expires_at > $2::timestamptz"},
    {"share_opened", "UPDATE share SET opened = opened + 1, opened_at = $2::timestamptz WHERE id = $1::bigint"
                     " RETURNING ceil(extract(epoch FROM expires_at - $2::timestamptz))::bigint"},
    {"share_times",
     "SELECT to_char(expires_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
     "       to_char(frozen_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
     "       to_char(discarded_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM share WHERE id = $1::bigint"},
    {"share_list",
     "SELECT json_build_object('id', public_id, 'kind', kind, 'object', object, 'name', name,"
     "         'hide_names', hide_names, 'frozen_at', to_char(frozen_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
     "         'made_by', made_by, 'created_at', to_char(created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
     "         'expires_at', to_char(expires_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), 'opened', opened,"
     "         'opened_at', to_char(opened_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))::text, id"
     "  FROM share WHERE team_id = $1::bigint AND id > coalesce(nullif($2::text, ''), '0')::bigint"
     " ORDER BY id LIMIT $3::bigint"},
    {"share_delete", "DELETE FROM share WHERE public_id = $1::uuid AND team_id = $2::bigint"},
    {"share_run_of_plan", "SELECT 1 FROM run WHERE id = $1::uuid AND plan_id = $2::uuid"},
    {"share_document_put",
     "INSERT INTO share_document (share_id, address, body) VALUES ($1::bigint, $2::text, $3::text)"},
    {"share_document", "SELECT body FROM share_document WHERE share_id = $1::bigint AND address = $2::text"},
    {NULL, NULL},
};

int repo_share_put(struct db *db, const struct share_row *s, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_text(&p, s->id);
    db_i64(&p, s->team);
    db_bytes(&p, s->sha256, SHA256_BYTES);
    db_text(&p, s->kind);
    db_text(&p, s->object);
    db_text(&p, s->name);
    db_bool(&p, s->hide_names);
    db_bool(&p, s->frozen);
    db_text(&p, s->made_by);
    db_time(&p, s->created_at);
    db_time(&p, s->expires_at);
    if (db_query(db, "share_put", &p, &r, e) < 0)
        return -1;
    *id = db_get_i64(&r, 0, 0);
    db_rows_release(&r);
    return 0;
}

int repo_share_by_secret(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct credential *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    memset(out, 0, sizeof *out);
    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    if (db_query(db, "share_by_secret", &p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found) {
        out->valid = out->by_cookie = true;
        out->scopes = 1u << SCOPE_READ;
        out->role = ROLE_VIEWER;
        out->share.id = db_get_i64(&r, 0, 0);
        out->team_id = db_get_i64(&r, 0, 1);
        snprintf(out->share.kind, sizeof out->share.kind, "%s", db_get(&r, 0, 2));
        snprintf(out->share.object, sizeof out->share.object, "%s", db_get(&r, 0, 3));
        snprintf(out->name, sizeof out->name, "%s", db_get(&r, 0, 4));
        out->share.hide_names = db_get_bool(&r, 0, 5);
        out->share.frozen = db_get_bool(&r, 0, 6);
    }
    db_rows_release(&r);
    return found;
}

int repo_share_opened(struct db *db, int64_t share, wall_us now, int64_t *seconds, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_i64(&p, share);
    db_time(&p, now);
    if (db_query(db, "share_opened", &p, &r, e) < 0)
        return -1;
    *seconds = r.count ? db_get_i64(&r, 0, 0) : 0;
    db_rows_release(&r);
    return 0;
}

int repo_share_times(struct db *db, int64_t share, struct share_times *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    memset(out, 0, sizeof *out);
    db_i64(&p, share);
    if (db_query(db, "share_times", &p, &r, e) < 0)
        return -1;
    if (r.count) {
        snprintf(out->expires_at, sizeof out->expires_at, "%s", db_get(&r, 0, 0));
        snprintf(out->frozen_at, sizeof out->frozen_at, "%s", db_get(&r, 0, 1));
        snprintf(out->discarded_at, sizeof out->discarded_at, "%s", db_get(&r, 0, 2));
    }
    db_rows_release(&r);
    return 0;
}

int repo_share_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "share_list", &p, out, e);
}

int repo_share_delete(struct db *db, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_any(db, "share_delete", &p, e);
}

int repo_share_run_of_plan(struct db *db, const char *run, const char *plan, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, plan);
    return db_any(db, "share_run_of_plan", &p, e);
}

int repo_share_document_put(struct db *db, int64_t share, const char *address, const char *body, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    db_text(&p, address);
    db_text(&p, body);
    return db_query(db, "share_document_put", &p, NULL, e);
}

int repo_share_document(struct db *db, int64_t share, const char *address, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    db_text(&p, address);
    return db_text_of(db, "share_document", &p, out, e);
}
