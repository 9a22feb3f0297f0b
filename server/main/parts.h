/* server/main/parts.h: the parts of the server that work in the background: dispatcher, sweeper, projector, watch,
 * collector, event hub, notices between servers. */
#ifndef VIVACE_SERVER_PARTS_H
#define VIVACE_SERVER_PARTS_H

#include "base/err.h"
#include "server/api/app.h"

/* The settings and the clock, for each floor. Both outlive *app. */
void parts_init(struct app *app, const struct server_config *config, struct clock *clock);
/* After migrations, before listening: starts them and fills their members of *app. -1: nothing was left running. */
int parts_start(struct app *app, struct err *e);
/* Ends the threads that give executors something to do; then, when executors are idle, nothing uses parts any more.
 */
void parts_quiet(struct app *app);
/* Answers what is parked, ends streams and threads. New requests no longer come in. */
void parts_stop(struct app *app);

#endif
