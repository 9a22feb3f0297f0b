/* server/store/repo/repo_tally.h: the number of a run's jobs in each state, without counting rows. Triggers add a
 * row for each statement that changes jobs, in the same transaction. The sum of the rows is always exact. */
#ifndef VIVACE_SERVER_DB_REPO_TALLY_H
#define VIVACE_SERVER_DB_REPO_TALLY_H

#include "server/store/db/db.h"

/* Merges the rows of each run into one. Runs its own transaction. */
int repo_tally_fold(struct db *db, struct err *e) MUST_CHECK;

#endif
