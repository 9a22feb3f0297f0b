/* server/api/handlers/accounts.h: functions that users.c and teams.c share. */
#ifndef VIVACE_SERVER_HANDLERS_ACCOUNTS_H
#define VIVACE_SERVER_HANDLERS_ACCOUNTS_H

#include "server/api/app.h"
#include "server/store/repo/repo_account.h"

/* Checks a login and a password (ERR_INVALID), releases the act (db_act_release) and computes the hash. Call it on
 * the log-in executor only. */
int account_prepare(struct db *db, const char *login, const char *password, char hashed[PASSWORD_TEXT],
                    struct err *e) MUST_CHECK;
/* Inserts the row of a new account. ERR_CONFLICT when the name is taken. */
int account_insert(struct app *app, struct db *db, const char *login, const char *hashed, bool site_admin,
                   int64_t *id, struct err *e) MUST_CHECK;
/* ERR_NOT_FOUND when no account has that name. */
int account_of_request(struct db *db, const char *login, struct account_row *out, struct err *e) MUST_CHECK;

#endif
