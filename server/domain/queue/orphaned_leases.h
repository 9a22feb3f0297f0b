/* server/domain/queue/orphaned_leases.h: leases that their worker does not know of: the answer to its claim was
 * lost on the way. It lives, so nobody would miss them before their deadline, hours later. A worker lists all that
 * it holds, and what it has not delivered yet, in each sign of life; what it was given longer ago than a message
 * can be on its way and does not list goes back, as if it had been released. */
#ifndef VIVACE_SERVER_FORGOTTEN_H
#define VIVACE_SERVER_FORGOTTEN_H

#include "server/store/db/db.h"

struct orphaned_leases {
    wall_us now, leased_before; /* what was leased later may be on its way still */
    char *jobs;                 /* array literal; NULL: none */
    size_t count;               /* of them */
};
/* Within the transaction of a batch of signs of life. sessions: theirs; listed: all jobs in them; array literals. A
 * job that is on another's list counts as listed. */
int orphaned_leases_find(struct orphaned_leases *f, struct db *db, const char *sessions, const char *listed,
                         struct err *e) MUST_CHECK;
/* A transaction of its own; *returned counts. */
int orphaned_leases_return(struct orphaned_leases *f, struct db *db, size_t *returned, struct err *e) MUST_CHECK;
void orphaned_leases_release(struct orphaned_leases *f);

#endif
