/* server/run/projector.h: results of a run -> its projections, as results come in. One thread, one connection.
 *
 * A projection is a function of the set of results alone: it is made again from all of them, never carried forward,
 * so order, restarts and two projectors at once change nothing. A run is projected at most 4 times a second, and
 * less often when that costs more than a tenth of the time. */
#ifndef VIVACE_SERVER_PROJECTOR_H
#define VIVACE_SERVER_PROJECTOR_H

#include "server/app.h"

struct projector;
int projector_start(struct app *app, struct projector **out, struct err *e);
void projector_stop(struct projector *p);

struct db;
/* Projects one run now, whatever its version; what the thread does, for tests and tools. */
int project_run(struct db *db, struct clock *clock, const char *run, struct err *e) MUST_CHECK;

#endif
