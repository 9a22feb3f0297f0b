/* server/domain/queue/orphaned_leases.h: returns leases that their worker does not know. This happens when the
 * answer to a claim is lost. The worker is alive, so without this module such a job would be stuck until its
 * deadline, hours later. Each heartbeat lists all leases and unsent results of the worker. A lease that is not
 * listed, and is older than the longest transit time of a message, returns to the queue as if it had been
 * released. */
#ifndef VIVACE_SERVER_FORGOTTEN_H
#define VIVACE_SERVER_FORGOTTEN_H

#include "server/store/db/db.h"

struct orphaned_leases {
    wall_us now, leased_before; /* later leases may still be in transit to the worker */
    char *jobs;                 /* array literal; NULL: none */
    size_t count;               /* number of jobs */
};
/* Call it in the transaction of a batch of heartbeats. sessions: those of the heartbeats; listed: all jobs in
 * them; both are array literals. A job that any session lists counts as listed. */
int orphaned_leases_find(struct orphaned_leases *f, struct db *db, const char *sessions, const char *listed,
                         struct err *e) MUST_CHECK;
/* Runs in a transaction of its own. Adds to *returned. */
int orphaned_leases_return(struct orphaned_leases *f, struct db *db, size_t *returned, struct err *e) MUST_CHECK;
void orphaned_leases_release(struct orphaned_leases *f);

#endif
