/* server/store/repo/repo_tally.h: how many jobs of a run are in each state, without counting them (schema/0480).
 * Triggers add a row for each statement that changes jobs, in the same transaction; the sum is exact at any time.
 */
#ifndef VIVACE_SERVER_DB_REPO_TALLY_H
#define VIVACE_SERVER_DB_REPO_TALLY_H

#include "server/store/db/db.h"

/* Rows that were added since become one a run. In a transaction of its own. */
int repo_tally_fold(struct db *db, struct err *e) MUST_CHECK;

#endif
