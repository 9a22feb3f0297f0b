#include "server/store/repo/repo_account.h"

#include <stdio.h>
#include <string.h>

extern const struct db_stmt repo_account_stmts[];
const struct db_stmt repo_account_stmts[] = {
    {"account_find", "SELECT id, login, password, site_admin, disabled FROM account WHERE login = $1::text"},
    {"account_by_id", "SELECT id, login, password, site_admin, disabled FROM account WHERE id = $1::bigint"},
    {"account_put", "INSERT INTO account (login, password, site_admin, created_at)"
                    " VALUES ($1::text, $2::text, $3::boolean, $4::timestamptz) RETURNING id"},
    {"account_password", "UPDATE account SET password = $2::text WHERE id = $1::bigint"},
    {"account_flags", "UPDATE account SET site_admin = $2::boolean, disabled = $3::boolean WHERE id = $1::bigint"},
    {"account_list",
     "SELECT json_build_object('user', a.login, 'site_admin', a.site_admin, 'disabled', a.disabled,"
     "         'password', a.password IS NOT NULL, 'created_at', to_char(a.created_at, "
     "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"
     "         'teams', (SELECT coalesce(json_agg(t.slug ORDER BY t.slug), '[]') FROM member m JOIN team t"
     "                   ON t.id = m.team_id WHERE m.account_id = a.id))::text, a.login"
     "  FROM account a WHERE a.login > $1::text ORDER BY a.login LIMIT $2::bigint"},
    {"account_site_admins",
     "SELECT count(*) FROM account WHERE site_admin AND NOT disabled AND password IS NOT NULL"},
    {"team_put", "INSERT INTO team (slug, created_at) VALUES ($1::text, $2::timestamptz) RETURNING id"},
    {"team_find", "SELECT id FROM team WHERE slug = $1::text"},
    {"team_share", "UPDATE team SET share = $2::float8 WHERE id = $1::bigint"},
    {"team_slug", "SELECT slug FROM team WHERE id = $1::bigint"},
    {"team_list",
     "SELECT json_build_object('team', t.slug, 'members', (SELECT count(*) FROM member n WHERE n.team_id = t.id),"
     "         'share', t.share, 'role', (ARRAY['viewer', 'member', 'owner'])[m.role])::text, t.slug"
     "  FROM team t LEFT JOIN member m ON m.team_id = t.id AND m.account_id = $1::bigint"
     " WHERE t.slug > $3::text AND ($1::bigint <= 0 OR m.role IS NOT NULL) AND ($2::bigint <= 0 OR t.id = "
     "$2::bigint)"
     " ORDER BY t.slug LIMIT $4::bigint"},
    {"member_role", "SELECT role FROM member WHERE team_id = $1::bigint AND account_id = $2::bigint"},
    {"member_first_team",
     "SELECT team_id FROM member WHERE account_id = $1::bigint ORDER BY created_at, team_id LIMIT 1"},
    {"member_put", "INSERT INTO member (team_id, account_id, role, created_at)"
                   " VALUES ($1::bigint, $2::bigint, $3::smallint, $4::timestamptz)"
                   " ON CONFLICT (team_id, account_id) DO UPDATE SET role = excluded.role"},
    {"member_delete", "DELETE FROM member WHERE team_id = $1::bigint AND account_id = $2::bigint"},
    {"member_owners", "SELECT count(*) FROM member m JOIN account a ON a.id = m.account_id"
                      " WHERE m.team_id = $1::bigint AND m.role = 3 AND NOT a.disabled"},
    {"member_list",
     "SELECT json_build_object('user', a.login, 'role', (ARRAY['viewer', 'member', 'owner'])[m.role],"
     "         'disabled', a.disabled, 'since', to_char(m.created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'))::text, "
     "a.login"
     "  FROM member m JOIN account a ON a.id = m.account_id"
     " WHERE m.team_id = $1::bigint AND a.login > $2::text ORDER BY a.login LIMIT $3::bigint"},
    {"invitation_put", "INSERT INTO invitation (team_id, role, sha256, created_at, expires_at)"
                       " VALUES ($1::bigint, $2::smallint, $3::bytea, $4::timestamptz, $5::timestamptz)"},
    {"invitation_use", "DELETE FROM invitation WHERE sha256 = $1::bytea AND expires_at > $2::timestamptz"
                       " RETURNING team_id, role"},
    {NULL, NULL},
};

bool account_login_valid(const char *login)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = strlen(login);

    return n > 0 && n < LOGIN_TEXT && strchr(first, login[0]) &&
           strspn(login, "abcdefghijklmnopqrstuvwxyz0123456789._-") == n;
}

/* One row of whole numbers, at most two: 1, 0 when there is no row. */
static int numbers(struct db *db, const char *stmt, const struct db_params *p, int64_t *a, int64_t *b,
                   struct err *e)
{
    struct db_rows r;
    int found;

    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found && a)
        *a = db_get_i64(&r, 0, 0);
    if (found && b)
        *b = db_get_i64(&r, 0, 1);
    db_rows_release(&r);
    return found;
}

static int find(struct db *db, const char *stmt, const struct db_params *p, struct account_row *out, struct err *e)
{
    struct db_rows r;
    int found;

    memset(out, 0, sizeof *out);
    if (db_query(db, stmt, p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found) {
        out->id = db_get_i64(&r, 0, 0);
        snprintf(out->login, sizeof out->login, "%s", db_get(&r, 0, 1));
        snprintf(out->password, sizeof out->password, "%s", db_get(&r, 0, 2));
        out->site_admin = db_get_bool(&r, 0, 3);
        out->disabled = db_get_bool(&r, 0, 4);
    }
    db_rows_release(&r);
    return found;
}

int repo_account_find(struct db *db, const char *login, struct account_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, login);
    return find(db, "account_find", &p, out, e);
}

int repo_account_by_id(struct db *db, int64_t id, struct account_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    return find(db, "account_by_id", &p, out, e);
}

int repo_account_put(struct db *db, const char *login, const char *password, bool site_admin, wall_us now,
                     int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, login);
    db_text(&p, password);
    db_bool(&p, site_admin);
    db_time(&p, now);
    return numbers(db, "account_put", &p, id, NULL, e) < 0 ? -1 : 0;
}

int repo_account_password(struct db *db, int64_t id, const char *password, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_text(&p, password);
    return db_query(db, "account_password", &p, NULL, e);
}

int repo_account_flags(struct db *db, int64_t id, bool site_admin, bool disabled, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_bool(&p, site_admin);
    db_bool(&p, disabled);
    return db_query(db, "account_flags", &p, NULL, e);
}

int repo_account_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "account_list", &p, out, e);
}

int repo_account_site_admins(struct db *db, int64_t *n, struct err *e)
{
    return numbers(db, "account_site_admins", NULL, n, NULL, e) < 0 ? -1 : 0;
}

int repo_team_put(struct db *db, const char *slug, wall_us now, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, slug);
    db_time(&p, now);
    return numbers(db, "team_put", &p, id, NULL, e) < 0 ? -1 : 0;
}

int repo_team_find(struct db *db, const char *slug, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, slug);
    return numbers(db, "team_find", &p, id, NULL, e);
}

int repo_team_share(struct db *db, int64_t id, double share, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_double(&p, share);
    return db_query(db, "team_share", &p, NULL, e);
}

int repo_team_slug(struct db *db, int64_t id, char *slug, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_i64(&p, id);
    if (db_query(db, "team_slug", &p, &r, e) < 0)
        return -1;
    snprintf(slug, LOGIN_TEXT, "%s", r.count ? db_get(&r, 0, 0) : "");
    db_rows_release(&r);
    return 0;
}

int repo_team_list(struct db *db, int64_t account, int64_t team, const char *after, uint64_t limit,
                   struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, account);
    db_i64(&p, team);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "team_list", &p, out, e);
}

int repo_member_role(struct db *db, int64_t team, int64_t account, enum role *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int64_t role = ROLE_NONE;

    db_i64(&p, team);
    db_i64(&p, account);
    if (numbers(db, "member_role", &p, &role, NULL, e) < 0)
        return -1;
    *out = (enum role)role;
    return 0;
}

int repo_member_first_team(struct db *db, int64_t account, int64_t *team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    *team = 0;
    db_i64(&p, account);
    return numbers(db, "member_first_team", &p, team, NULL, e) < 0 ? -1 : 0;
}

int repo_member_put(struct db *db, int64_t team, int64_t account, enum role role, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, account);
    db_i64(&p, role);
    db_time(&p, now);
    return db_query(db, "member_put", &p, NULL, e);
}

int repo_member_delete(struct db *db, int64_t team, int64_t account, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int gone;

    db_i64(&p, team);
    db_i64(&p, account);
    if (db_query(db, "member_delete", &p, &r, e) < 0)
        return -1;
    gone = r.affected > 0;
    db_rows_release(&r);
    return gone;
}

int repo_member_owners(struct db *db, int64_t team, int64_t *n, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    return numbers(db, "member_owners", &p, n, NULL, e) < 0 ? -1 : 0;
}

int repo_member_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "member_list", &p, out, e);
}

int repo_invitation_put(struct db *db, int64_t team, enum role role, const unsigned char sha256[SHA256_BYTES],
                        wall_us now, wall_us expires_at, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, role);
    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    db_time(&p, expires_at);
    return db_query(db, "invitation_put", &p, NULL, e);
}

int repo_invitation_use(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, int64_t *team,
                        enum role *role, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int64_t r = ROLE_NONE;
    int found;

    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    found = numbers(db, "invitation_use", &p, team, &r, e);
    *role = (enum role)r;
    return found;
}
