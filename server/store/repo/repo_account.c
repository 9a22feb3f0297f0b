#include "server/store/repo/repo_account.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>
#include <string.h>

static const struct db_field account_list_fields[] = {FIELD_TEXT("user"),
                                                      FIELD_BOOL("site_admin"),
                                                      FIELD_BOOL("disabled"),
                                                      FIELD_BOOL("password"),
                                                      FIELD_TEXT("created_at"),
                                                      FIELD_TEXTS_OR_EMPTY("teams"),
                                                      FIELDS_END};

static const struct db_field team_list_fields[] = {FIELD_TEXT("team"), FIELD_NUMBER("members"),
                                                   FIELD_NUMBER("share"), FIELD_TEXT("role"), FIELDS_END};

static const struct db_field member_list_fields[] = {FIELD_TEXT("user"), FIELD_TEXT("role"), FIELD_BOOL("disabled"),
                                                     FIELD_TEXT("since"), FIELDS_END};

bool account_login_valid(const char *login)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = strlen(login);

    return n > 0 && n < LOGIN_TEXT && strchr(first, login[0]) &&
           strspn(login, "abcdefghijklmnopqrstuvwxyz0123456789._-") == n;
}

/* Reads a row of one or two integers. Returns 1, or 0 when there is no row. */
static int numbers(struct db *db, const struct db_stmt *stmt, const struct db_params *p, int64_t *a, int64_t *b,
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

static int find(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct account_row *out,
                struct err *e)
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
    return find(db, &sql_account_find, &p, out, e);
}

int repo_account_by_id(struct db *db, int64_t id, struct account_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    return find(db, &sql_account_by_id, &p, out, e);
}

int repo_account_put(struct db *db, const char *login, const char *password, bool site_admin, wall_us now,
                     int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, login);
    db_text(&p, password);
    db_bool(&p, site_admin);
    db_time(&p, now);
    return numbers(db, &sql_account_put, &p, id, NULL, e) < 0 ? -1 : 0;
}

int repo_account_password(struct db *db, int64_t id, const char *password, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_text(&p, password);
    return db_query(db, &sql_account_password, &p, NULL, e);
}

int repo_account_hold(struct db *db, int64_t id, const char *password, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_text(&p, password);
    return db_any(db, &sql_account_hold, &p, e);
}

int repo_account_password_replace(struct db *db, int64_t id, const char *password, const char *replacement,
                                  struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_text(&p, password);
    db_text(&p, replacement);
    return db_any(db, &sql_account_password_replace, &p, e);
}

int repo_account_flags(struct db *db, int64_t id, bool site_admin, bool disabled, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_bool(&p, site_admin);
    db_bool(&p, disabled);
    return db_query(db, &sql_account_flags, &p, NULL, e);
}

int repo_account_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    db_u64(&p, limit);
    return db_query_json(db, &sql_account_list, &p, account_list_fields, out, e);
}

int repo_account_site_admins(struct db *db, int64_t *n, struct err *e)
{
    return numbers(db, &sql_account_site_admins, NULL, n, NULL, e) < 0 ? -1 : 0;
}

int repo_team_put(struct db *db, const char *slug, wall_us now, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, slug);
    db_time(&p, now);
    return numbers(db, &sql_team_put, &p, id, NULL, e) < 0 ? -1 : 0;
}

int repo_team_find(struct db *db, const char *slug, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, slug);
    return numbers(db, &sql_team_find, &p, id, NULL, e);
}

int repo_team_share(struct db *db, int64_t id, double share, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, id);
    db_double(&p, share);
    return db_query(db, &sql_team_share, &p, NULL, e);
}

int repo_team_slug(struct db *db, int64_t id, char *slug, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_i64(&p, id);
    if (db_query(db, &sql_team_slug, &p, &r, e) < 0)
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
    return db_query_json(db, &sql_team_list, &p, team_list_fields, out, e);
}

int repo_member_role(struct db *db, int64_t team, int64_t account, enum role *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int64_t role = ROLE_NONE;

    db_i64(&p, team);
    db_i64(&p, account);
    if (numbers(db, &sql_member_role, &p, &role, NULL, e) < 0)
        return -1;
    *out = (enum role)role;
    return 0;
}

int repo_member_first_team(struct db *db, int64_t account, int64_t *team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    *team = 0;
    db_i64(&p, account);
    return numbers(db, &sql_member_first_team, &p, team, NULL, e) < 0 ? -1 : 0;
}

int repo_member_put(struct db *db, int64_t team, int64_t account, enum role role, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, account);
    db_i64(&p, role);
    db_time(&p, now);
    return db_query(db, &sql_member_put, &p, NULL, e);
}

int repo_member_delete(struct db *db, int64_t team, int64_t account, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int gone;

    db_i64(&p, team);
    db_i64(&p, account);
    if (db_query(db, &sql_member_delete, &p, &r, e) < 0)
        return -1;
    gone = r.affected > 0;
    db_rows_release(&r);
    return gone;
}

int repo_member_owners(struct db *db, int64_t team, int64_t *n, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    return numbers(db, &sql_member_owners, &p, n, NULL, e) < 0 ? -1 : 0;
}

int repo_member_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query_json(db, &sql_member_list, &p, member_list_fields, out, e);
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
    return db_query(db, &sql_invitation_put, &p, NULL, e);
}

int repo_invitation_use(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, int64_t *team,
                        enum role *role, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int64_t r = ROLE_NONE;
    int found;

    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    found = numbers(db, &sql_invitation_use, &p, team, &r, e);
    *role = (enum role)r;
    return found;
}
