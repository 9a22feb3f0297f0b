/* server/store/repo/repo_leader.h: who does what only one needs to do. Harmless if two do it for a while. */
#ifndef VIVACE_SERVER_DB_REPO_LEADER_H
#define VIVACE_SERVER_DB_REPO_LEADER_H

#include "server/store/db/db.h"

/* Takes or renews the lease until `until`: 1 it is ours, 0 somebody else holds it. */
int repo_leader_hold(struct db *db, const char *name, const char *holder, wall_us now, wall_us until,
                     struct err *e) MUST_CHECK;
/* Gives it back, so that the next one need not wait. */
int repo_leader_leave(struct db *db, const char *name, const char *holder, wall_us now, struct err *e) MUST_CHECK;
/* VACUUM of the queue table, outside a transaction. */
int repo_leader_vacuum(struct db *db, struct err *e) MUST_CHECK;

#endif
