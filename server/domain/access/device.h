/* server/domain/access/device.h: browsers from which somebody has signed in before (OWASP's device cookies). The
 * cookie proves that and nothing else: it signs nobody in, is sent with log-ins alone, and is stored nowhere; it
 * lets its user in while others guess at the account (login_guard.h).
 *
 *   value = base64url(id (16 random bytes), expiry (8 bytes, seconds since 1970), HMAC-SHA-256(login, id, expiry))
 *
 * The key is the farm's, so each of its servers knows devices of the others. */
#ifndef VIVACE_SERVER_DEVICE_H
#define VIVACE_SERVER_DEVICE_H

#include <stdbool.h>

#include "server/domain/farm.h"

#define DEVICE_NAME  32 /* of a cookie: one for each login that this browser knows */
#define DEVICE_VALUE 80
#define DEVICE_ID    33
#define DEVICE_S     (INT64_C(180) * 86400)

void device_name(const char *login, char out[DEVICE_NAME]);
/* A new one, for the cookie of that name. */
void device_make(const struct farm *farm, const char *login, char out[DEVICE_VALUE]);
/* Whether the values of the Cookie field (NULL: absent) hold a good one of that login; id tells devices apart. */
bool device_read(const struct farm *farm, const char *login, const char *cookies, char id[DEVICE_ID]);

#endif
