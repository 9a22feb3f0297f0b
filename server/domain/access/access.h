/* server/domain/access/access.h: who is asking: tokens for programs, sessions for browsers. Only hashes of secrets
 * are kept.
 *
 *   token    of a team, or of a person in a team (server/domain/access/secret_text.h says what it looks like)
 *   session  a cookie; by a token or by a password; ends 12 h after its last use, 7 days after log-in, with its
 *            token, and when the person's password changes */
#ifndef VIVACE_SERVER_ACCESS_H
#define VIVACE_SERVER_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/err.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"
#include "server/domain/access/secret_text.h"

#define SESSION_COOKIE "vivace_session"

struct access;
int access_new(struct clock *clock, struct access **out, struct err *e);
void access_free(struct access *a);

/* What a request presents: a share link, a bearer token, or a session's cookie. */
struct presented {
    char secret[TOKEN_TEXT]; /* token or session; "": none */
    char share[SHARE_TEXT];  /* "": none */
    bool by_cookie;
};
/* From the secret of a share link in the address, and the values of Authorization and Cookie (each NULL: absent). A
 * share link comes first: its address shows what it shares, also to a member who is logged in. Its secret may also
 * be the bearer token. 1; 0 when there is nothing that looks like one. */
int access_read(const char *share, const char *authorization, const char *cookie, struct presented *out);
/* The value of a cookie of that name, if it has n characters of the alphabet of secrets; else out is "". out has
 * room for n + 1; cookies may be NULL. */
bool access_cookie(const char *cookies, const char *name, size_t n, char *out);
/* From memory: 1 known (*out is filled; out->valid says whether it is good), 0 ask the database. */
int access_cached(struct access *a, const struct presented *p, struct credential *out);
/* From the database, and remembers it for ten seconds. *out is filled, out->valid tells. */
int access_look_up(struct access *a, struct db *db, const struct presented *p, struct credential *out,
                   struct err *e);
/* Forgets everything remembered: after a token, session, role or account changed. */
void access_forget(struct access *a);

/* A new token of a team, of an account, or of both; its text is returned once. expires_at 0: never. id: UUID_TEXT
 * bytes. */
struct token_request {
    int64_t team_id, account_id; /* 0: none; not both */
    const char *name;
    unsigned scopes;
    wall_us expires_at;
};
int token_make(struct db *db, struct clock *clock, const struct token_request *request, char text[TOKEN_TEXT],
               char *id, struct err *e);
/* Log-in: a session for the owner of `token`; cookie is the value to set. ERR_UNAUTHORIZED for a wrong token. */
int session_by_token(struct access *a, struct db *db, const char *token, char cookie[SECRET_TEXT],
                     struct credential *who, struct err *e);
/* The same for an account that has given its password. team 0: the one it joined first, if any. */
int session_by_account(struct access *a, struct db *db, int64_t account, int64_t team, char cookie[SECRET_TEXT],
                       struct credential *who, struct err *e);

/* First start: makes the owner's and the workers' token and writes them to STATE/admin-token and STATE/worker-token
 * (0600), unless the database has tokens already. 1: they were made now, admin is the owner's; 0: not. */
int access_first_start(struct db *db, struct clock *clock, const char *state_folder, char admin[TOKEN_TEXT],
                       struct err *e);

#endif
