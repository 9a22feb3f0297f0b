/* server/store/repo/repo_account.h: people, teams, who belongs where, invitations. Rows of lists are JSON. */
#ifndef VIVACE_SERVER_DB_REPO_ACCOUNT_H
#define VIVACE_SERVER_DB_REPO_ACCOUNT_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

#define LOGIN_TEXT    64  /* with NUL; also of a team's name */
#define PASSWORD_TEXT 128 /* of what crypto_pwhash_str() writes */

struct account_row {
    int64_t id;
    char login[LOGIN_TEXT];
    char password[PASSWORD_TEXT]; /* "": none, nobody can log in by it */
    bool site_admin, disabled;
};
/* Whether a text can be the name of an account. */
bool account_login_valid(const char *login);
/* 1, 0 there is none. */
int repo_account_find(struct db *db, const char *login, struct account_row *out, struct err *e) MUST_CHECK;
int repo_account_by_id(struct db *db, int64_t id, struct account_row *out, struct err *e) MUST_CHECK;
/* ERR_CONFLICT when the login is taken; password NULL: none. *id is the new row's. */
int repo_account_put(struct db *db, const char *login, const char *password, bool site_admin, wall_us now,
                     int64_t *id, struct err *e) MUST_CHECK;
int repo_account_password(struct db *db, int64_t id, const char *password, struct err *e) MUST_CHECK;
int repo_account_flags(struct db *db, int64_t id, bool site_admin, bool disabled, struct err *e) MUST_CHECK;
/* Pages by login: JSON, login. */
int repo_account_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* Accounts that are site admins and can log in. */
int repo_account_site_admins(struct db *db, int64_t *n, struct err *e) MUST_CHECK;

/* ERR_CONFLICT when the name is taken. */
int repo_team_put(struct db *db, const char *slug, wall_us now, int64_t *id, struct err *e) MUST_CHECK;
/* 1, 0. */
int repo_team_find(struct db *db, const char *slug, int64_t *id, struct err *e) MUST_CHECK;
/* Of the workers, against the other teams that have something to simulate: up to REPO_SHARE_MAX, above 0. */
#define REPO_SHARE_MAX 1000
int repo_team_share(struct db *db, int64_t id, double share, struct err *e) MUST_CHECK;
/* slug has room for LOGIN_TEXT; "" where there is none. */
int repo_team_slug(struct db *db, int64_t id, char *slug, struct err *e) MUST_CHECK;
/* Pages by name: JSON, slug. Those of an account with its role (account > 0), one team (team > 0), or all. */
int repo_team_list(struct db *db, int64_t account, int64_t team, const char *after, uint64_t limit,
                   struct db_rows *out, struct err *e) MUST_CHECK;

/* Role of an account in a team; ROLE_NONE: it is no member. */
int repo_member_role(struct db *db, int64_t team, int64_t account, enum role *out, struct err *e) MUST_CHECK;
/* The team that an account joined first; 0 when it is in none. */
int repo_member_first_team(struct db *db, int64_t account, int64_t *team, struct err *e) MUST_CHECK;
int repo_member_put(struct db *db, int64_t team, int64_t account, enum role role, wall_us now,
                    struct err *e) MUST_CHECK;
int repo_member_delete(struct db *db, int64_t team, int64_t account, struct err *e) MUST_CHECK; /* 1, 0 was none */
int repo_member_owners(struct db *db, int64_t team, int64_t *n, struct err *e) MUST_CHECK;
int repo_member_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e) MUST_CHECK; /* JSON, login */

int repo_invitation_put(struct db *db, int64_t team, enum role role, const unsigned char sha256[SHA256_BYTES],
                        wall_us now, wall_us expires_at, struct err *e) MUST_CHECK;
/* Takes it away, so that it works once: 1 and what it is for, 0 unknown, used or expired. */
int repo_invitation_use(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, int64_t *team,
                        enum role *role, struct err *e) MUST_CHECK;

#endif
