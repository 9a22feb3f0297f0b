/* server/access/login.h: is this the account's password? With all that slows guessing down. On the log-in executor
 * only.
 */
#ifndef VIVACE_SERVER_LOGIN_H
#define VIVACE_SERVER_LOGIN_H

#include "server/app.h"
#include "server/db/repo_account.h"
#include "server/http/http.h"

/* 0 and the account's row. ERR_UNAUTHORIZED in the same words and after the same time for an unknown account, a
 * disabled one and a wrong password; ERR_RATE_LIMITED with rep->retry_after_s after too many of these. */
int login_check(struct app *app, struct db *db, const struct request *req, const char *login, const char *password,
                struct account_row *out, struct reply *rep, struct err *e) MUST_CHECK;

#endif
