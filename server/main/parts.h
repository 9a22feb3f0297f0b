/* server/main/parts.h: starts and stops the background parts of the server: dispatcher, sweeper, projector, watch,
 * collector, event hub, and the notifications between servers. */
#ifndef VIVACE_SERVER_PARTS_H
#define VIVACE_SERVER_PARTS_H

#include "base/err.h"
#include "server/api/app.h"

/* Sets the settings and the clock in the structures of all layers. The caller keeps both valid longer than
 * *app. */
void parts_init(struct app *app, const struct server_config *config, struct clock *clock);
/* Starts the parts and sets their pointers in *app. Call it after the migrations and before the server listens. On
 * -1 no part is running. */
int parts_start(struct app *app, struct err *e);
/* Stops the threads that submit tasks to the executors. When the executors are idle afterwards, nothing uses the
 * parts any more. */
void parts_quiet(struct app *app);
/* Answers the waiting long polls, and ends the event streams and the threads. The caller accepts no new requests
 * before it calls this. */
void parts_stop(struct app *app);

#endif
