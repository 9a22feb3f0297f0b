#include "server/store/repo/repo_access.h"

#include <stdio.h>
#include <string.h>

#include "server/store/repo/sql/statements.h"

static int look_up(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct access_row *out,
                   struct err *e)
{
    struct credential *c = &out->who;
    struct db_rows r;
    int found;

    memset(out, 0, sizeof *out);
    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found) {
        c->valid = true;
        c->token_id = db_get_i64(&r, 0, 0);
        c->team_id = db_get_i64(&r, 0, 1);
        snprintf(c->name, sizeof c->name, "%s", db_get(&r, 0, 2));
        c->scopes = (unsigned)db_get_i64(&r, 0, 3);
        c->session_id = db_get_i64(&r, 0, 4);
        out->stale = db_get_bool(&r, 0, 5);
        c->role = (enum role)db_get_i64(&r, 0, 6);
        out->site_admin = db_get_bool(&r, 0, 7);
        c->account_id = db_get_i64(&r, 0, 8);
    }
    db_rows_release(&r);
    return found;
}

int repo_access_by_token(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct access_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    return look_up(db, &sql_token_by_hash, &p, out, e);
}

int repo_access_by_session(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us idle_since,
                           struct access_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    db_time(&p, idle_since);
    return look_up(db, &sql_session_by_hash, &p, out, e);
}

int repo_access_touch(struct db *db, const struct credential *who, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, who->session_id ? who->session_id : who->token_id);
    db_time(&p, now);
    return db_query(db, who->session_id ? &sql_session_touch : &sql_token_touch, &p, NULL, e);
}

int repo_access_still(struct db *db, const struct credential *who, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, who->token_id);
    db_i64(&p, who->session_id);
    db_i64(&p, who->account_id);
    db_i64(&p, who->team_id);
    db_time(&p, now);
    db_i64(&p, who->share.id);
    return db_any(db, &sql_access_still, &p, e);
}

int repo_token_put(struct db *db, const struct token_row *t, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, t->id);
    db_i64(&p, t->team_id);
    db_i64(&p, t->account_id);
    db_text(&p, t->name);
    db_bytes(&p, t->sha256, SHA256_BYTES);
    db_text(&p, t->shown);
    db_i64(&p, t->scopes);
    db_time(&p, t->created_at);
    if (t->expires_at)
        db_time(&p, t->expires_at);
    else
        db_text(&p, NULL);
    return db_query(db, &sql_token_put, &p, NULL, e);
}

int repo_token_list(struct db *db, int64_t team, int64_t account, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, account);
    return db_query(db, &sql_token_list, &p, out, e);
}

int repo_token_left(struct db *db, int64_t token, wall_us now, uint64_t *left_s, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_i64(&p, token);
    db_time(&p, now);
    if (db_query(db, &sql_token_left, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        *left_s = (uint64_t)db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return found;
}

int repo_token_delete(struct db *db, const char *id, int64_t team, int64_t account, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    db_i64(&p, account);
    return db_any(db, &sql_token_delete, &p, e);
}

int repo_token_any(struct db *db, struct err *e)
{
    return db_any(db, &sql_token_any, NULL, e);
}

int repo_session_put(struct db *db, int64_t token, int64_t account, int64_t team,
                     const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us expires_at, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, token);
    db_i64(&p, account);
    db_i64(&p, team);
    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    db_time(&p, expires_at);
    return db_query(db, &sql_session_put, &p, NULL, e);
}

int repo_session_delete(struct db *db, int64_t session, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, session);
    return db_query(db, &sql_session_delete, &p, NULL, e);
}

int repo_session_team(struct db *db, int64_t session, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, session);
    db_i64(&p, team);
    return db_query(db, &sql_session_team, &p, NULL, e);
}

int repo_session_delete_all(struct db *db, int64_t account, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, account);
    return db_query(db, &sql_session_delete_all, &p, NULL, e);
}

int repo_session_expire(struct db *db, wall_us now, wall_us idle_since, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_time(&p, idle_since);
    return db_query(db, &sql_session_expire, &p, NULL, e);
}
