/* server/domain/access/login.h: is this the account's password? With all that slows guessing down. On the log-in
 * executor only.
 */
#ifndef VIVACE_SERVER_LOGIN_H
#define VIVACE_SERVER_LOGIN_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_account.h"
#include "server/store/repo/credential.h"

/* Where a log-in comes from. */
struct login_origin {
    const struct credential *credential; /* of the request */
    const char *address;                 /* the client's */
    const char *cookies;                 /* or NULL */
};

/* 0 and the account's row. ERR_UNAUTHORIZED in the same words and after the same time for an unknown account, a
 * disabled one and a wrong password. After too many of these it waits for the account's turn, and is refused
 * (ERR_RATE_LIMITED with *retry_after_s) where they came from this address, or no place is free
 * (login_guard.h). */
int login_check(struct farm *farm, struct db *db, const struct login_origin *from, const char *login,
                const char *password, struct account_row *out, int *retry_after_s, struct err *e) MUST_CHECK;
/* Whether a call with this body comes from a device, or a session, of the person whose password it brings: it then
 * has a lane of its own (farm->device_executor), in which nobody waits for a turn. Costs no more than reading the
 * body. */
bool login_of_known_device(const struct farm *farm, const struct login_origin *from, const char *text,
                           size_t length);

#endif
