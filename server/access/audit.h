/* server/access/audit.h: which calls are written down, and writing them: log-ins and their failures, whatever
 * changes who may do what, what is deleted, links that are made and opened. One row a call, after it, also where it
 * was refused. */
#ifndef VIVACE_SERVER_AUDIT_H
#define VIVACE_SERVER_AUDIT_H

#include "server/app.h"
#include "server/http/http.h"

/* "login", "member.change", ...; NULL: calls of this route are not written down. */
const char *audit_action(const struct route *route);
/* After the handler, on its thread. A row that cannot be written is an error in the log, not the call's. */
void audit_answered(struct app *app, struct db *db, const struct route *route, const struct request *req,
                    const struct reply *rep, int status);
/* A call that was refused before its handler: the row is written later, on a database thread. */
void audit_refused(struct app *app, const struct route *route, const struct request *req, int status);

#endif
