/* server/store/repo/repo_access.h: tokens and sessions, found by the hash of their secret. The database stores no
 * secret in plain text. */
#ifndef VIVACE_SERVER_DB_REPO_ACCESS_H
#define VIVACE_SERVER_DB_REPO_ACCESS_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

/* A credential as the database knows it. scopes: those of its token; -1 as unsigned for a session opened by
 * password. */
struct access_row {
    struct credential who; /* only valid, token_id, session_id, account_id, team_id, role, name are set */
    bool site_admin;
    bool stale; /* used_at is older than a minute and should be updated */
};
/* Returns 1. Returns 0 for an unknown or expired token, or a disabled account. */
int repo_access_by_token(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct access_row *out, struct err *e) MUST_CHECK;
/* As repo_access_by_token(), for a session. A session that was last used before idle_since has expired. */
int repo_access_by_session(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us idle_since,
                           struct access_row *out, struct err *e) MUST_CHECK;
/* Updates the time of last use. */
int repo_access_touch(struct db *db, const struct credential *who, wall_us now, struct err *e) MUST_CHECK;
/* Returns 1 while the credential still has its permissions. Event streams check it once a minute. */
int repo_access_still(struct db *db, const struct credential *who, wall_us now, struct err *e) MUST_CHECK;

struct token_row {
    const char *id;              /* public id */
    int64_t team_id, account_id; /* 0: none */
    const char *name;
    const unsigned char *sha256;
    const char *shown; /* the first characters of its text, which the user interface shows */
    unsigned scopes;
    wall_us created_at, expires_at; /* expires_at 0: never */
};
int repo_token_put(struct db *db, const struct token_row *t, struct err *e) MUST_CHECK;
/* Rows: public_id, name, shown, scopes, created_at, expires_at, last_used_at, login. account 0: all of the
 * team. */
int repo_token_list(struct db *db, int64_t team, int64_t account, struct db_rows *out, struct err *e) MUST_CHECK;
/* Returns 1 and the remaining validity. Returns 0 if the token never expires or does not exist. */
int repo_token_left(struct db *db, int64_t token, wall_us now, uint64_t *left_s, struct err *e) MUST_CHECK;
/* Returns 1 when the token was deleted, 0 when it does not exist. account 0: any token of the team. */
int repo_token_delete(struct db *db, const char *id, int64_t team, int64_t account, struct err *e) MUST_CHECK;
int repo_token_any(struct db *db, struct err *e) MUST_CHECK; /* 1: at least one token exists */

/* Opens a session of a token or of an account; the other argument is 0. team: the account's current team, 0:
 * none. */
int repo_session_put(struct db *db, int64_t token, int64_t account, int64_t team,
                     const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us expires_at,
                     struct err *e) MUST_CHECK;
int repo_session_delete(struct db *db, int64_t session, struct err *e) MUST_CHECK;
int repo_session_team(struct db *db, int64_t session, int64_t team, struct err *e) MUST_CHECK;
/* Deletes all sessions of an account, including those that its tokens opened. */
int repo_session_delete_all(struct db *db, int64_t account, struct err *e) MUST_CHECK;
int repo_session_expire(struct db *db, wall_us now, wall_us idle_since, struct err *e) MUST_CHECK;

#endif
