#include "server/store/repo/repo_access.h"

#include <stdio.h>
#include <string.h>

#include "server/store/repo/repo_tally.h"

/* A team's own token counts as an owner and a site admin: its scopes were granted by one when it was made. */
#define OF_TOKEN                                                                                                   \
    "coalesce(m.role, CASE WHEN a.id IS NULL THEN 3 ELSE 0 END), coalesce(a.site_admin, true), coalesce(a.id, 0)"

extern const struct db_stmt repo_access_stmts[];
const struct db_stmt repo_access_stmts[] = {
    {"token_by_hash", "SELECT t.id, coalesce(t.team_id, 0), coalesce(a.login, t.name), t.scopes, 0,"
                      "       coalesce(t.last_used_at < $2::timestamptz - interval '1 minute', true), " OF_TOKEN
                      "  FROM token t LEFT JOIN account a ON a.id = t.account_id"
                      "  LEFT JOIN member m ON m.team_id = t.team_id AND m.account_id = t.account_id"
                      " WHERE t.sha256 = $1::bytea AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz)"
                      "   AND NOT coalesce(a.disabled, false)"},
    {"session_by_hash",
     "SELECT coalesce(t.id, 0), coalesce(s.team_id, t.team_id, 0), coalesce(a.login, t.name), coalesce(t.scopes, "
     "-1),"
     "       s.id, s.used_at < $2::timestamptz - interval '1 minute', " OF_TOKEN
     "  FROM session s LEFT JOIN token t ON t.id = s.token_id"
     "  LEFT JOIN account a ON a.id = coalesce(s.account_id, t.account_id)"
     "  LEFT JOIN member m ON m.team_id = coalesce(s.team_id, t.team_id) AND m.account_id = a.id"
     " WHERE s.sha256 = $1::bytea AND s.expires_at > $2::timestamptz AND s.used_at > $3::timestamptz"
     "   AND (t.expires_at IS NULL OR t.expires_at > $2::timestamptz) AND NOT coalesce(a.disabled, false)"},
    {"session_touch", "UPDATE session SET used_at = $2::timestamptz WHERE id = $1::bigint"},
    {"token_touch", "UPDATE token SET last_used_at = date_trunc('minute', $2::timestamptz) WHERE id = $1::bigint"},
    {"access_still",
     "SELECT 1 WHERE ($1::bigint = 0 OR EXISTS (SELECT 1 FROM token"
     "          WHERE id = $1::bigint AND (expires_at IS NULL OR expires_at > $5::timestamptz)))"
     "   AND ($2::bigint = 0 OR EXISTS (SELECT 1 FROM session WHERE id = $2::bigint AND expires_at > "
     "$5::timestamptz"
     "          AND (token_id IS NOT NULL OR team_id IS NOT DISTINCT FROM nullif($4::bigint, 0))))"
     "   AND ($3::bigint = 0 OR EXISTS (SELECT 1 FROM account WHERE id = $3::bigint AND NOT disabled"
     "          AND ($4::bigint = 0 OR EXISTS (SELECT 1 FROM member"
     "                 WHERE account_id = $3::bigint AND team_id = $4::bigint))))"
     "   AND ($6::bigint = 0 OR EXISTS (SELECT 1 FROM share WHERE id = $6::bigint AND expires_at > "
     "$5::timestamptz))"},
    {"token_put",
     "INSERT INTO token (public_id, team_id, account_id, name, sha256, shown, scopes, created_at, expires_at)"
     " VALUES ($1::uuid, nullif($2::bigint, 0), nullif($3::bigint, 0), $4::text, $5::bytea, $6::text, $7::integer,"
     "         $8::timestamptz, $9::timestamptz)"},
    {"token_list",
     "SELECT t.public_id, t.name, t.shown, t.scopes, t.created_at, t.expires_at, t.last_used_at, a.login"
     "  FROM token t LEFT JOIN account a ON a.id = t.account_id"
     " WHERE t.team_id IS NOT DISTINCT FROM nullif($1::bigint, 0)"
     "   AND ($2::bigint = 0 OR t.account_id = $2::bigint) ORDER BY t.id"},
    {"token_delete", "DELETE FROM token WHERE public_id = $1::uuid AND team_id IS NOT DISTINCT FROM"
                     " nullif($2::bigint, 0) AND ($3::bigint = 0 OR account_id = $3::bigint)"},
    {"token_left", "SELECT greatest(0, extract(epoch FROM expires_at - $2::timestamptz))::bigint FROM token"
                   " WHERE id = $1::bigint AND expires_at IS NOT NULL"},
    {"token_any", "SELECT 1 FROM token LIMIT 1"},
    {"session_put",
     "INSERT INTO session (token_id, account_id, team_id, sha256, created_at, used_at, expires_at)"
     " VALUES (nullif($1::bigint, 0), nullif($2::bigint, 0), nullif($3::bigint, 0), $4::bytea, $5::timestamptz,"
     "         $5::timestamptz, $6::timestamptz)"},
    {"session_delete", "DELETE FROM session WHERE id = $1::bigint"},
    {"session_team", "UPDATE session SET team_id = nullif($2::bigint, 0) WHERE id = $1::bigint"},
    {"session_delete_all", "DELETE FROM session WHERE account_id = $1::bigint"
                           " OR token_id IN (SELECT id FROM token WHERE account_id = $1::bigint)"},
    {"session_expire", "DELETE FROM session WHERE expires_at < $1::timestamptz OR used_at < $2::timestamptz"},
    {"farm_touch", "UPDATE farm_secret SET value = value WHERE name = 'cursor'"},
    {"metric_jobs", "SELECT c.key, c.value FROM (SELECT " JOBS_BY_STATE " FROM job_tally t) s,"
                    " LATERAL json_each_text(row_to_json(s)) c WHERE c.value <> '0' ORDER BY 1"},
    {"farm_secret", "SELECT value FROM farm_secret WHERE name = $1::text"},
    {NULL, NULL},
};

static int look_up(struct db *db, const char *stmt, const struct db_params *p, struct access_row *out,
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
    return look_up(db, "token_by_hash", &p, out, e);
}

int repo_access_by_session(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us idle_since,
                           struct access_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    db_time(&p, idle_since);
    return look_up(db, "session_by_hash", &p, out, e);
}

int repo_access_touch(struct db *db, const struct credential *who, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, who->session_id ? who->session_id : who->token_id);
    db_time(&p, now);
    return db_query(db, who->session_id ? "session_touch" : "token_touch", &p, NULL, e);
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
    return db_any(db, "access_still", &p, e);
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
    return db_query(db, "token_put", &p, NULL, e);
}

int repo_token_list(struct db *db, int64_t team, int64_t account, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, account);
    return db_query(db, "token_list", &p, out, e);
}

int repo_token_left(struct db *db, int64_t token, wall_us now, uint64_t *left_s, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_i64(&p, token);
    db_time(&p, now);
    if (db_query(db, "token_left", &p, &q, e) < 0)
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
    return db_any(db, "token_delete", &p, e);
}

int repo_token_any(struct db *db, struct err *e)
{
    return db_any(db, "token_any", NULL, e);
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
    return db_query(db, "session_put", &p, NULL, e);
}

int repo_session_delete(struct db *db, int64_t session, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, session);
    return db_query(db, "session_delete", &p, NULL, e);
}

int repo_session_team(struct db *db, int64_t session, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, session);
    db_i64(&p, team);
    return db_query(db, "session_team", &p, NULL, e);
}

int repo_session_delete_all(struct db *db, int64_t account, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, account);
    return db_query(db, "session_delete_all", &p, NULL, e);
}

int repo_session_expire(struct db *db, wall_us now, wall_us idle_since, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_time(&p, idle_since);
    return db_query(db, "session_expire", &p, NULL, e);
}
