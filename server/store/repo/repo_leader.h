/* server/store/repo/repo_leader.h: leader election for work that one server should do. Two leaders for a short
 * time are harmless. */
#ifndef VIVACE_SERVER_DB_REPO_LEADER_H
#define VIVACE_SERVER_DB_REPO_LEADER_H

#include "server/store/db/db.h"

/* Takes or renews the leadership until `until`. Returns 1 when this server has it, 0 when another server has
 * it. */
int repo_leader_hold(struct db *db, const char *name, const char *holder, wall_us now, wall_us until,
                     struct err *e) MUST_CHECK;
/* Releases the leadership, so that another server can take it at once. */
int repo_leader_leave(struct db *db, const char *name, const char *holder, wall_us now, struct err *e) MUST_CHECK;
/* Runs VACUUM on the queue's table. Call outside a transaction. */
int repo_leader_vacuum(struct db *db, struct err *e) MUST_CHECK;

#endif
