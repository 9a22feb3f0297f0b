/* server/api/http/http_inner.h: the server asks itself: a GET of its own API without a connection. */
#ifndef VIVACE_SERVER_HTTP_INNER_H
#define VIVACE_SERVER_HTTP_INNER_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Finds the route of an address (path and query, escaped as on the wire), and runs its handler with this credential
 * on this thread. What the credential may do is the caller's to know. On success *rep is the caller's to release.
 */
int http_inner_get(struct app *app, struct db *db, const struct credential *who, const char *uri, struct reply *rep,
                   struct err *e) MUST_CHECK;
void reply_release(struct reply *rep);

#endif
