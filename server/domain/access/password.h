/* server/domain/access/password.h: password hashes with argon2id (libsodium's crypto_pwhash_str, INTERACTIVE: 64
 * MiB, about 70 ms). Call it on the log-in executor only, which limits the concurrent calls, and outside of a
 * transaction: a call may wait for other hashes (db_act_release). */
#ifndef VIVACE_SERVER_PASSWORD_H
#define VIVACE_SERVER_PASSWORD_H

#include <stdbool.h>

#include "base/err.h"
#include "server/store/repo/repo_account.h"

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 1000 }; /* bytes */

/* ERR_INVALID for a password that is too short or too long. */
int password_check(const char *password, struct err *e) MUST_CHECK;
int password_hash(const char *password, char out[PASSWORD_TEXT], struct err *e) MUST_CHECK;
/* Whether the password matches the hash. For hashed "" (no account, or no password) the call takes as long and
 * returns false. */
bool password_matches(const char *hashed, const char *password);
/* Whether the hash has weaker parameters than the current ones. */
bool password_outdated(const char *hashed);

#endif
