/* server/api/handlers/handlers.h: declares every handler that the API description (api/) names. */
#ifndef VIVACE_SERVER_HANDLERS_HANDLERS_H
#define VIVACE_SERVER_HANDLERS_HANDLERS_H

#include "server/api/app.h"
#include "server/api/http/http.h"

#define HANDLER(name)                                                                                              \
    int name(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
#include "api/handlers.h"

#endif
