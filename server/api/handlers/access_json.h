/* server/api/handlers/access_json.h: what the handlers of sessions, tokens, users and teams share. */
#ifndef VIVACE_SERVER_HANDLERS_ACCESS_JSON_H
#define VIVACE_SERVER_HANDLERS_ACCESS_JSON_H

#include <jansson.h>

#include "server/api/app.h"
#include "server/api/http/http.h"

/* ["read","write"]; NULL when memory ran out. */
json_t *scope_list(unsigned scopes);
/* The member `scopes` of a body. */
int read_scopes(const json_t *body, unsigned *out, struct err *e) MUST_CHECK;
/* The member `role` of a body. */
int read_role(const json_t *body, enum role *out, struct err *e) MUST_CHECK;
bool credential_has(const struct credential *c, enum scope s);
/* What GET /session and a log-in answer. */
int answer_who(struct db *db, const struct credential *c, struct reply *rep, struct err *e) MUST_CHECK;
/* The whole Set-Cookie value of a session; "" ends it. */
void set_session_cookie(const struct app *app, struct reply *rep, const char *cookie);
/* From now on this browser is known as one from which `login` has signed in (server/domain/access/device.h). */
void set_device_cookie(const struct app *app, struct reply *rep, const char *login);

#endif
