/* server/api/handlers/made.h: kinds of objects that a request creates. When a client repeats the request, the
 * server returns the existing object (server/api/http/idempotency.h). */
#ifndef VIVACE_SERVER_MADE_H
#define VIVACE_SERVER_MADE_H

#include "server/api/http/http.h"

extern const struct made_kind made_kinds[];

#endif
