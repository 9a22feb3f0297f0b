/* server/domain/access/password.h: passwords as argon2id (libsodium's crypto_pwhash_str, INTERACTIVE: 64 MiB, some
 * 70 ms). To be called on the log-in executor alone, which bounds how many run at once. */
#ifndef VIVACE_SERVER_PASSWORD_H
#define VIVACE_SERVER_PASSWORD_H

#include <stdbool.h>

#include "base/err.h"
#include "server/store/repo/repo_account.h"

enum { PASSWORD_MIN = 10, PASSWORD_MAX = 1000 }; /* bytes */

/* Refuses what is too short or too long: ERR_INVALID. */
int password_check(const char *password, struct err *e) MUST_CHECK;
int password_hash(const char *password, char out[PASSWORD_TEXT], struct err *e) MUST_CHECK;
/* Whether it is the one that was hashed. hashed "" (no account, or one without password): takes as long, is false.
 */
bool password_matches(const char *hashed, const char *password);
/* Whether it was hashed with weaker parameters than today's. */
bool password_outdated(const char *hashed);

#endif
