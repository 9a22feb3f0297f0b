/* server/api/http/audit.h: writes the audit log: log-ins and their failures, changes of permissions, deletions,
 * created and opened share links. There is one row for each call, also for a refused one. The row of a
 * successful action is written in the action's transaction, so neither exists without the other. */
#ifndef VIVACE_SERVER_AUDIT_H
#define VIVACE_SERVER_AUDIT_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Runs the route's handler (through the Idempotency-Key check). Writes the row if the route has an action
 * (x-audit in api/). Returns what the handler returns. */
int audit_handle(struct app *app, struct db *db, const struct route *route, const struct request *req,
                 struct reply *rep, struct err *e);
/* For a handler with several transactions. Call it in the transaction of the action (x-audit-by-handler in
 * api/). */
int audit_done(struct app *app, struct db *db, const char *action, const struct request *req, int status,
               struct err *e) MUST_CHECK;
/* The data of audit_done() as a db_body (ctx: this struct), for a call that succeeds. The caller runs it in its
 * transaction. */
struct audit_part {
    struct app *app;
    const char *action;
    const struct request *req;
};
int audit_done_too(struct db *db, void *ctx, struct err *e) MUST_CHECK;
/* For a call that was refused before its handler ran. A database thread writes the row later. */
void audit_refused(struct app *app, const struct route *route, const struct request *req, int status);

#endif
