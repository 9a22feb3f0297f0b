/* server/access.h: who may do what: tokens for programs, sessions for browsers. Only hashes of secrets are kept.
 *
 *   token    "vvc_", 43 characters of base64url (32 random bytes), 6 of a checksum (so that scanners of leaked
 *            secrets find it, and a mistyped one is refused without asking the database)
 *   session  a cookie with 32 random bytes; ends 12 h after its last use, 7 days after log-in, or with its token */
#ifndef VIVACE_SERVER_ACCESS_H
#define VIVACE_SERVER_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/err.h"
#include "server/db/db.h"
#include "server/http.h"

#define TOKEN_TEXT     54 /* with NUL */
#define SESSION_COOKIE "vivace_session"

struct access;
int access_new(struct clock *clock, struct access **out, struct err *e);
void access_free(struct access *a);

/* What a request presents: a bearer token, or the session's cookie. */
struct presented {
    char secret[TOKEN_TEXT];
    bool by_cookie;
};
/* From the values of Authorization and Cookie (NULL: absent). 1; 0 when there is nothing that looks like one. */
int access_read(const char *authorization, const char *cookie, struct presented *out);
/* From memory: 1 known (*out is filled; out->valid says whether it is good), 0 ask the database. */
int access_cached(struct access *a, const struct presented *p, struct credential *out);
/* From the database, and remembers it for ten seconds. *out is filled, out->valid tells. */
int access_look_up(struct access *a, struct db *db, const struct presented *p, struct credential *out,
                   struct err *e);
/* Forgets everything remembered: after a token or session was removed. */
void access_forget(struct access *a);

/* A new token; its text is returned once. expires_at 0: never. id: UUID_TEXT bytes. */
int token_make(struct db *db, struct clock *clock, int64_t team_id, const char *name, unsigned scopes,
               wall_us expires_at, char text[TOKEN_TEXT], char *id, struct err *e);
bool token_text_valid(const char *text); /* shape and checksum */
/* Log-in: a session for the owner of `token`. cookie is the value to set. ERR_UNAUTHORIZED for a wrong token. */
int session_make(struct access *a, struct db *db, const char *token, char cookie[TOKEN_TEXT],
                 struct credential *who, struct err *e);

/* First start: makes the owner's and the workers' token and writes them to STATE/admin-token and STATE/worker-token
 * (0600), unless the database has tokens already. 1: they were made now, admin is the owner's; 0: not. */
int access_first_start(struct db *db, struct clock *clock, const char *state_folder, char admin[TOKEN_TEXT],
                       struct err *e);

/* Names of scopes <-> bits. */
int scopes_from_names(const char *const *names, size_t count, unsigned *out, struct err *e);
const char *scope_name(enum scope s); /* "read", ...; NULL for SCOPE_NONE */

#endif
