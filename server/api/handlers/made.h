/* server/api/handlers/made.h: what requests make that a repetition shows again (server/api/http/idempotency.h). */
#ifndef VIVACE_SERVER_MADE_H
#define VIVACE_SERVER_MADE_H

#include "server/api/http/http.h"

extern const struct made_kind made_kinds[];

#endif
