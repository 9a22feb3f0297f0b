/* server/domain/run/rechecks.h: what follows of results that a second worker simulated, too. */
#ifndef VIVACE_SERVER_RUN_RECHECKS_H
#define VIVACE_SERVER_RUN_RECHECKS_H

#include "server/domain/farm.h"

struct db;

/* For the leader, now and then: where two workers differ, nobody uses the result until a site admin discards it;
 * what no worker of the present simulator will do ends. */
int rechecks_tick(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
