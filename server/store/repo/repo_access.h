/* server/store/repo/repo_access.h: tokens and sessions: whose a secret is. Secrets come and go as hashes. */
#ifndef VIVACE_SERVER_DB_REPO_ACCESS_H
#define VIVACE_SERVER_DB_REPO_ACCESS_H

#include "base/hash.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

/* What the database knows of a credential; scopes are those of its token (-1 as unsigned for a session by
 * password). */
struct access_row {
    struct credential who; /* valid, token_id, session_id, account_id, team_id, role, name */
    bool site_admin;
    bool stale; /* its stamp of last use is a minute old */
};
/* 1, 0 unknown, expired, or of a disabled account. */
int repo_access_by_token(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct access_row *out, struct err *e) MUST_CHECK;
/* The same; a session that was last used before idle_since has ended. */
int repo_access_by_session(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us idle_since,
                           struct access_row *out, struct err *e) MUST_CHECK;
/* Writes the stamp of last use. */
int repo_access_touch(struct db *db, const struct credential *who, wall_us now, struct err *e) MUST_CHECK;
/* 1 while the credential may still read what it could when it was looked up: streams ask once a minute. */
int repo_access_still(struct db *db, const struct credential *who, wall_us now, struct err *e) MUST_CHECK;

struct token_row {
    const char *id;              /* shown outside */
    int64_t team_id, account_id; /* 0: none */
    const char *name;
    const unsigned char *sha256;
    const char *shown; /* the first characters of its text */
    unsigned scopes;
    wall_us created_at, expires_at; /* 0: never */
};
int repo_token_put(struct db *db, const struct token_row *t, struct err *e) MUST_CHECK;
/* public_id, name, shown, scopes, created_at, expires_at, last_used_at, login; account 0: all of the team. */
int repo_token_list(struct db *db, int64_t team, int64_t account, struct db_rows *out, struct err *e) MUST_CHECK;
/* How long it is valid still: 1; 0: it has no end, or there is none. */
int repo_token_left(struct db *db, int64_t token, wall_us now, uint64_t *left_s, struct err *e) MUST_CHECK;
/* 1 removed, 0 there is none; account 0: any of the team. */
int repo_token_delete(struct db *db, const char *id, int64_t team, int64_t account, struct err *e) MUST_CHECK;
int repo_token_any(struct db *db, struct err *e) MUST_CHECK; /* 1 when there is one at all */

/* Of a token, or of an account that works for team_id (0: none) at the moment; the other is 0. */
int repo_session_put(struct db *db, int64_t token, int64_t account, int64_t team,
                     const unsigned char sha256[SHA256_BYTES], wall_us now, wall_us expires_at,
                     struct err *e) MUST_CHECK;
int repo_session_delete(struct db *db, int64_t session, struct err *e) MUST_CHECK;
int repo_session_team(struct db *db, int64_t session, int64_t team, struct err *e) MUST_CHECK;
/* All sessions of an account, those that one of its tokens opened among them. */
int repo_session_delete_all(struct db *db, int64_t account, struct err *e) MUST_CHECK;
int repo_session_expire(struct db *db, wall_us now, wall_us idle_since, struct err *e) MUST_CHECK;

#endif
