/* server/api/http/idempotency.h: Idempotency-Key on POSTs that change data (scope `write`): the answer is stored
 * for 24 hours under (team, key) with a hash of the request.
 *
 *   same key, same request     the stored answer
 *   same key, other request    422
 *   still being answered       409 with Retry-After
 *
 * Only success is stored: a refused request has changed nothing, and the client may repeat it. Runs, plans,
 * pilots and uploads are recorded under the key in the transaction that creates them (repo_idempotency_made). If
 * the server is killed before it stores the answer, or does not learn whether the commit succeeded, the repeated
 * request finds the object and returns it. Other requests may safely run twice. */
#ifndef VIVACE_SERVER_IDEMPOTENCY_H
#define VIVACE_SERVER_IDEMPOTENCY_H

#include "server/api/http/http.h"

/* Runs the route's handler, unless a request with the same key was answered before. Returns what the handler
 * returns. */
int idempotency_handle(struct app *app, struct db *db, const struct route *route, const struct request *req,
                       struct reply *rep, struct err *e);
/* Call it when a server starts: requests that were being answered when the server was killed may be repeated. */
int idempotency_resume(struct app *app, struct err *e);

#endif
