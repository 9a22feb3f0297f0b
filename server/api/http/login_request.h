/* server/api/http/login_request.h: log-ins of requests (server/domain/access/login.h). */
#ifndef VIVACE_SERVER_LOGIN_REQUEST_H
#define VIVACE_SERVER_LOGIN_REQUEST_H

#include "server/api/app.h"
#include "server/api/http/http.h"
#include "server/domain/access/login.h"

/* login_check() of who sent the request. */
int login_request_check(struct app *app, struct db *db, const struct request *req, const char *login,
                        const char *password, struct account_row *out, struct reply *rep, struct err *e) MUST_CHECK;
/* login_of_known_device() likewise. */
bool login_request_of_known_device(const struct app *app, const struct request *req);

#endif
