/* server/store/repo/repo_account.h: accounts, teams, members and invitations. Rows of lists are JSON. */
#ifndef VIVACE_SERVER_DB_REPO_ACCOUNT_H
#define VIVACE_SERVER_DB_REPO_ACCOUNT_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

#define LOGIN_TEXT    64  /* bytes with the NUL; also the size of a team's name */
#define PASSWORD_TEXT 128 /* size of the text of crypto_pwhash_str() */

struct account_row {
    int64_t id;
    char login[LOGIN_TEXT];
    char password[PASSWORD_TEXT]; /* hash; "": the account has no password, so a log-in with a password is
                                     impossible */
    bool site_admin, disabled;
};
/* True: the text is a valid account name. */
bool account_login_valid(const char *login);
/* Returns 1, or 0 when the account does not exist. */
int repo_account_find(struct db *db, const char *login, struct account_row *out, struct err *e) MUST_CHECK;
int repo_account_by_id(struct db *db, int64_t id, struct account_row *out, struct err *e) MUST_CHECK;
/* Creates an account. *id: the new row's id. password NULL: no password. ERR_CONFLICT: the login exists. */
int repo_account_put(struct db *db, const char *login, const char *password, bool site_admin, wall_us now,
                     int64_t *id, struct err *e) MUST_CHECK;
int repo_account_password(struct db *db, int64_t id, const char *password, struct err *e) MUST_CHECK;
/* Both return 1 if the account still has this password hash and is not disabled, else 0. Until the end of the
 * transaction no other one changes the account. replace stores another hash. */
int repo_account_hold(struct db *db, int64_t id, const char *password, struct err *e) MUST_CHECK;
int repo_account_password_replace(struct db *db, int64_t id, const char *password, const char *replacement,
                                  struct err *e) MUST_CHECK;
int repo_account_flags(struct db *db, int64_t id, bool site_admin, bool disabled, struct err *e) MUST_CHECK;
/* One page, ordered by login. Rows: JSON, login. */
int repo_account_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out,
                      struct err *e) MUST_CHECK;
/* The number of site admins that can log in. */
int repo_account_site_admins(struct db *db, int64_t *n, struct err *e) MUST_CHECK;

/* Creates a team. ERR_CONFLICT: the name exists. */
int repo_team_put(struct db *db, const char *slug, wall_us now, int64_t *id, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when the team does not exist. */
int repo_team_find(struct db *db, const char *slug, int64_t *id, struct err *e) MUST_CHECK;
/* The team's share of the workers, relative to the other teams with ready jobs. Above 0, at most
 * REPO_SHARE_MAX. */
#define REPO_SHARE_MAX 1000
int repo_team_share(struct db *db, int64_t id, double share, struct err *e) MUST_CHECK;
/* slug: LOGIN_TEXT bytes; "" when the team does not exist. */
int repo_team_slug(struct db *db, int64_t id, char *slug, struct err *e) MUST_CHECK;
/* One page, ordered by name. Rows: JSON, slug. account > 0: the account's teams with its roles. team > 0: that
 * team. Otherwise all teams. */
int repo_team_list(struct db *db, int64_t account, int64_t team, const char *after, uint64_t limit,
                   struct db_rows *out, struct err *e) MUST_CHECK;

/* The role of an account in a team, or ROLE_NONE when it is not a member. */
int repo_member_role(struct db *db, int64_t team, int64_t account, enum role *out, struct err *e) MUST_CHECK;
/* The team that an account joined first, or 0 when it has none. */
int repo_member_first_team(struct db *db, int64_t account, int64_t *team, struct err *e) MUST_CHECK;
int repo_member_put(struct db *db, int64_t team, int64_t account, enum role role, wall_us now,
                    struct err *e) MUST_CHECK;
int repo_member_delete(struct db *db, int64_t team, int64_t account, struct err *e) MUST_CHECK; /* 1 or 0 */
int repo_member_owners(struct db *db, int64_t team, int64_t *n, struct err *e) MUST_CHECK;
int repo_member_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e) MUST_CHECK; /* rows: JSON, login */

int repo_invitation_put(struct db *db, int64_t team, enum role role, const unsigned char sha256[SHA256_BYTES],
                        wall_us now, wall_us expires_at, struct err *e) MUST_CHECK;
/* Deletes the invitation, so that it works only once. Returns 1 with its team and role, or 0 when it is unknown,
 * used or expired. */
int repo_invitation_use(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, int64_t *team,
                        enum role *role, struct err *e) MUST_CHECK;

#endif
