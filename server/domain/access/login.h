/* server/domain/access/login.h: checks an account's password, with protection against guessing. Call it on the
 * log-in executor only. */
#ifndef VIVACE_SERVER_LOGIN_H
#define VIVACE_SERVER_LOGIN_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_account.h"
#include "server/store/repo/credential.h"

/* The source of a log-in. */
struct login_origin {
    const struct credential *credential; /* of the request */
    const char *address;                 /* the client's */
    const char *cookies;                 /* or NULL */
};

struct login_attempt {
    const char *login, *password;
    const char *replacement; /* password that becomes the account's; NULL: the password stays */
};

/* 0, and the account's row. ERR_UNAUTHORIZED for an unknown account, a disabled one and a wrong password:
 * message and duration are the same. After too many failures the call waits for the account's turn. It is
 * refused (ERR_RATE_LIMITED with *retry_after_s) if the failures came from this address, or if the waiting list
 * is full (login_guard.h).
 *
 * The call waits and computes hashes outside of transactions. It releases the act (db_act_release), which may
 * only have read before. A replacement is hashed only after the password has proved right. After success, the act's
 * transaction is open, and the account cannot change until it ends: a session that it opens is ended by a
 * later change of the password. */
int login_check(struct farm *farm, struct db *db, const struct login_origin *from,
                const struct login_attempt *attempt, struct account_row *out, int *retry_after_s,
                struct err *e) MUST_CHECK;
/* Whether the request comes from a device or a session of the person whose password the body contains. Such
 * requests use their own executor (farm->device_executor), where no request waits for a turn. The check costs
 * about as much as parsing the body. */
bool login_of_known_device(const struct farm *farm, const struct login_origin *from, const char *text,
                           size_t length);

#endif
