/* server/api/http/audit.h: which calls are written down, and writing them: log-ins and their failures,
 * whatever changes who may do what, what is deleted, links that are made and opened. One row a call, also where it
 * was refused. The row of an act that was done is in the transaction of the act: neither is there without the
 * other. */
#ifndef VIVACE_SERVER_AUDIT_H
#define VIVACE_SERVER_AUDIT_H

#include "server/api/app.h"
#include "server/api/http/http.h"

/* Runs the route's handler (by way of Idempotency-Key), and writes the row, where the route has an action
 * (x-audit in api/). Results as the handler's. */
int audit_handle(struct app *app, struct db *db, const struct route *route, const struct request *req,
                 struct reply *rep, struct err *e);
/* For a handler of several transactions, inside the one that does it (x-audit-by-handler in api/). */
int audit_done(struct app *app, struct db *db, const char *action, const struct request *req, int status,
               struct err *e) MUST_CHECK;
/* The same of a call that succeeds, as a part of a transaction that somebody else makes (db_body; ctx: this). */
struct audit_part {
    struct app *app;
    const char *action;
    const struct request *req;
};
int audit_done_too(struct db *db, void *ctx, struct err *e) MUST_CHECK;
/* A call that was refused before its handler: the row is written later, on a database thread. */
void audit_refused(struct app *app, const struct route *route, const struct request *req, int status);

#endif
