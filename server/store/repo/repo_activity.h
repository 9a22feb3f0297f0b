/* server/store/repo/repo_activity.h: recent activity of the farm: the runs that each worker simulated, the queue,
 * the slowest attempts.
 *
 * Attempts of past minutes are aggregated once into rows by run and worker. The answers do not depend on how much
 * is aggregated.
 *
 * Workers serve all teams, but runs are private to their team. For a run of another team, the answer shows that it
 * exists, but not its id or name. */
#ifndef VIVACE_SERVER_DB_REPO_ACTIVITY_H
#define VIVACE_SERVER_DB_REPO_ACTIVITY_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

#define ACTIVITY_LANES 20000 /* maximum number; intervals of one worker and run with a small gap are merged */

/* JSON of the last `seconds` before now: {"from","to","lanes","queue","slowest", …} (api/workers.json). */
int repo_activity_json(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out,
                       struct err *e) MUST_CHECK;
/* Rows: JSON text of the attempts that a worker ended in that time, newest first, at most 100. No rows if the
 * worker does not exist. */
int repo_activity_worker(struct db *db, const char *session, int64_t team, wall_us now, int64_t seconds,
                         struct db_rows *out, struct err *e) MUST_CHECK;

/* Maximum delay in seconds between the recorded end of an attempt and the time when its row is written. */
#define ACTIVITY_LATE_S 120
/* Aggregates some past minutes. Returns 1 when there are more, else 0. It locks out other servers, which wait.
 * Runs inside the caller's transaction or in its own. */
int repo_activity_roll(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* Deletes rows that are older than the longest window. */
int repo_activity_expire(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* Removes the job's lost attempts from the counts of lost attempts. Call it before their rows are changed, in the
 * same transaction. */
int repo_activity_unlose(struct db *db, const char *job, struct err *e) MUST_CHECK;

#endif
