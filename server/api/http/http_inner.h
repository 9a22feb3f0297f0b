/* server/api/http/http_inner.h: a GET of the server's own API without a connection. */
#ifndef VIVACE_SERVER_HTTP_INNER_H
#define VIVACE_SERVER_HTTP_INNER_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Finds the route of a path with query (percent-encoded) and runs its handler with this credential on this
 * thread. The caller must check the credential's permissions. On success the caller releases *rep. */
int http_inner_get(struct app *app, struct db *db, const struct credential *who, const char *uri, struct reply *rep,
                   struct err *e) MUST_CHECK;
void reply_release(struct reply *rep);

#endif
