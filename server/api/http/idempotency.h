/* server/api/http/idempotency.h: Idempotency-Key on POSTs that change data (scope `write`): the answer is stored
 * for 24 hours under (team, key) with a hash of the request.
 *
 *   same key, same request     the kept answer
 *   same key, other request    422
 *   still being answered       409 with Retry-After
 *
 * Only success is kept: what was refused has changed nothing and may be asked again. Runs, plans, pilots and
 * uploads are noted under the key in the transaction that makes them (repo_idempotency_made): a server that is
 * killed before the answer is kept, or does not hear whether the commit went through, finds them at the repetition
 * and shows them again. What else a repetition does is right when it is done twice. */
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
