/* server/domain/access/device.h: device cookies (OWASP): they mark browsers from which a user has signed in before.
 * A device cookie does not authenticate. It is sent only with log-ins and is stored only in the browser. It lets
 * its user log in while others guess the account's password (login_guard.h).
 *
 *   value = base64url(id (16 random bytes), expiry (8 bytes, seconds since 1970), HMAC-SHA-256(login, id, expiry))
 *
 * The key belongs to the farm, so all of its servers accept the same cookies. */
#ifndef VIVACE_SERVER_DEVICE_H
#define VIVACE_SERVER_DEVICE_H

#include <stdbool.h>

#include "server/domain/farm.h"

#define DEVICE_NAME  32 /* bytes of a cookie's name; each login has a cookie of its own */
#define DEVICE_VALUE 80
#define DEVICE_ID    33
#define DEVICE_S     (INT64_C(180) * 86400)

void device_name(const char *login, char out[DEVICE_NAME]);
/* Creates a value for the cookie with that name. */
void device_make(const struct farm *farm, const char *login, char out[DEVICE_VALUE]);
/* Whether the Cookie header (NULL: absent) contains a valid device cookie of that login. id identifies the
 * device. */
bool device_read(const struct farm *farm, const char *login, const char *cookies, char id[DEVICE_ID]);

#endif
