/* server/api/http/login_request.h: checks log-in requests (server/domain/access/login.h). */
#ifndef VIVACE_SERVER_LOGIN_REQUEST_H
#define VIVACE_SERVER_LOGIN_REQUEST_H

#include "server/api/app.h"
#include "server/api/http/http.h"
#include "server/domain/access/login.h"

/* Calls login_check() for the sender of the request. */
int login_request_check(struct app *app, struct db *db, const struct request *req,
                        const struct login_attempt *attempt, struct account_row *out, struct reply *rep,
                        struct err *e) MUST_CHECK;
/* Calls login_of_known_device() for the sender of the request. */
bool login_request_of_known_device(const struct app *app, const struct request *req);

#endif
