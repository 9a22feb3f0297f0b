/* server/domain/access/access.h: authentication: tokens for programs, sessions for browsers. The database contains
 * only hashes of secrets.
 *
 *   token    belongs to a team, or to a person in a team (server/domain/access/secret_text.h describes its text)
 *   session  a cookie, created from a token or a password. It ends 12 h after its last use, 7 days after
 *            log-in, with its token, and when the person's password changes */
#ifndef VIVACE_SERVER_ACCESS_H
#define VIVACE_SERVER_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"
#include "server/domain/access/secret_text.h"

#define SESSION_COOKIE "vivace_session"

struct access;
int access_new(struct clock *clock, struct access **out, struct err *e);
void access_free(struct access *a);

/* The secret in a request: a share link, a bearer token, or a session's cookie. */
struct presented {
    char secret[TOKEN_TEXT]; /* token or session; "": none */
    char share[SHARE_TEXT];  /* "": none */
    bool by_cookie;
};
/* Reads the secret from the share link in the path, and from the values of Authorization and Cookie (each NULL:
 * absent). A share link has priority: its URL shows what the link shares, also to a member who is logged in. Its
 * secret may also be the bearer token. 1: found; 0: nothing in the request has the form of a secret. */
int access_read(const char *share, const char *authorization, const char *cookie, struct presented *out);
/* The value of the cookie with that name, if it has n characters of the alphabet of secrets; otherwise out is
 * "". out has room for n + 1 bytes; cookies may be NULL. */
bool access_cookie(const char *cookies, const char *name, size_t n, char *out);
/* Looks in the cache. 1: *out is filled, and out->valid says whether the credential is valid. 0: ask the
 * database. */
int access_cached(struct access *a, const struct presented *p, struct credential *out);
/* Looks in the database and caches the credential for ten seconds. *out is filled; out->valid says whether it is
 * valid. */
int access_look_up(struct access *a, struct db *db, const struct presented *p, struct credential *out,
                   struct err *e);
/* Empties the cache. Call it after a token, session, role or account has changed. The statement that changes it
 * notifies the other servers, which then do the same (server/domain/queue/peer_notify.h). */
void access_forget(struct access *a);
/* A number that changes with each access_forget(). Thread-safe. */
uint64_t access_changes(struct access *a);

/* Creates a token of a team, of an account, or of both. Its text is returned only once. expires_at 0: it does
 * not expire. id: UUID_TEXT bytes. */
struct token_request {
    int64_t team_id, account_id; /* 0: none; not both */
    const char *name;
    unsigned scopes;
    wall_us expires_at;
};
int token_make(struct db *db, struct clock *clock, const struct token_request *request, char text[TOKEN_TEXT],
               char *id, struct err *e);
/* Log-in with a token: creates a session for its owner. cookie is the value to set. ERR_UNAUTHORIZED for an
 * invalid token. */
int session_by_token(struct access *a, struct db *db, const char *token, char cookie[SECRET_TEXT],
                     struct credential *who, struct err *e);
/* Log-in for an account whose password was checked: creates a session. team 0: the team that the person joined
 * first, if any. */
int session_by_account(struct access *a, struct db *db, int64_t account, int64_t team, char cookie[SECRET_TEXT],
                       struct credential *who, struct err *e);

/* First start: creates the owner's and the workers' token and writes them to STATE/admin-token and
 * STATE/worker-token (mode 0600), unless the database has tokens already. 1: they were created, and admin is the
 * owner's; 0: not. */
int access_first_start(struct db *db, struct clock *clock, const char *state_folder, char admin[TOKEN_TEXT],
                       struct err *e);

#endif
