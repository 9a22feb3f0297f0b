/* server/api/handlers/access_json.h: functions that the handlers of sessions, tokens, users and teams share. */
#ifndef VIVACE_SERVER_HANDLERS_ACCESS_JSON_H
#define VIVACE_SERVER_HANDLERS_ACCESS_JSON_H

#include <jansson.h>

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Scopes as a JSON list, ["read","write"]. NULL: out of memory. */
json_t *scope_list(unsigned scopes);
/* Reads the member `scopes` of a request body. */
int read_scopes(const json_t *body, unsigned *out, struct err *e) MUST_CHECK;
/* Reads the member `role` of a request body. */
int read_role(const json_t *body, enum role *out, struct err *e) MUST_CHECK;
bool credential_has(const struct credential *c, enum scope s);
/* The answer of GET /session and of a log-in. */
int answer_who(struct db *db, const struct credential *c, struct reply *rep, struct err *e) MUST_CHECK;
/* The whole Set-Cookie value of a session. An empty secret deletes the cookie. */
void set_session_cookie(const struct app *app, struct reply *rep, const char *cookie);
/* Marks this browser as a device from which `login` has signed in (server/domain/access/device.h). */
void set_device_cookie(const struct app *app, struct reply *rep, const char *login);

#endif
