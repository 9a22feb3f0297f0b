/* server/store/repo/repo_activity.h: what the farm did lately: who worked on what, what waits, what was slow.
 *
 * Attempts of minutes that are over are rolled up, once, into rows by run and worker; the answers are the same as
 * those made from the attempts themselves, however much is rolled up.
 *
 * Workers serve all teams; what they simulate is their own: of other teams' runs it is said that there is one,
 * never which. */
#ifndef VIVACE_SERVER_DB_REPO_ACTIVITY_H
#define VIVACE_SERVER_DB_REPO_ACTIVITY_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

#define ACTIVITY_LANES 20000 /* intervals at most: those of one worker and run that nearly touch are one */

/* JSON of the last `seconds` before now: {"from","to","lanes","queue","slowest", …}, as api/workers.json says. */
int repo_activity_json(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out,
                       struct err *e) MUST_CHECK;
/* Rows: JSON text of the attempts that a worker ended in that time, newest first, 100 at most; 0 rows also where
 * there is no such worker. */
int repo_activity_worker(struct db *db, const char *session, int64_t team, wall_us now, int64_t seconds,
                         struct db_rows *out, struct err *e) MUST_CHECK;

/* An attempt's end is written at most so much later than the time that it bears. */
#define ACTIVITY_LATE_S 120
/* Rolls up a minute. 1: there are more; 0. One server at a time; another waits. Inside a transaction or as one
 * of its own. */
int repo_activity_roll(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* Forgets what is older than the longest window. */
int repo_activity_expire(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* The job's lost attempts will not count as lost any more: before their rows are changed, in the same transaction.
 */
int repo_activity_unlose(struct db *db, const char *job, struct err *e) MUST_CHECK;

#endif
