/* server/domain/run/rechecks.h: handles results that a second worker has simulated, too. */
#ifndef VIVACE_SERVER_RUN_RECHECKS_H
#define VIVACE_SERVER_RUN_RECHECKS_H

#include "server/domain/farm.h"

struct db;

/* The leader calls it periodically. If two workers' results differ, they are quarantined until a site admin
 * discards one. Rechecks that no worker with the present simulator can do are ended. */
int rechecks_tick(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
