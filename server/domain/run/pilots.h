/* server/domain/run/pilots.h: pilots on the farm (sampling/plan/pilot.h explains pilots).
 *
 *   starting --its run--> simulating --run is over--> planning --profile of cycles, plan--> done
 *
 * All state is in the database. The leader runs each step when it is due. The transaction that stores the output
 * of a step also changes the pilot's state, if the state has not changed meanwhile. So an interrupted step is
 * repeated, and two servers that run a step at once produce one output. A permanent error ends the pilot with a
 * reason. A temporary error (database unavailable, disk full) is stored, and the step is tried again. */
#ifndef VIVACE_SERVER_RUN_PILOTS_H
#define VIVACE_SERVER_RUN_PILOTS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_idempotency.h"
#include "server/store/repo/repo_pilot.h"
#include "wire/json.h"

struct pilot_request {
    const char *profile;
    int64_t team;
    const char *by, *design; /* design: name or hash */
    const json_t *plan;      /* the requested plan, plan_request.h; NULL: the default */
    const struct idempotent_key *once;
};
/* Starts a pilot after all possible checks. ERR_INVALID for a profile without counts, or for a plan that cannot
 * be made from cycles. ERR_CONFLICT if a shape has no trace. id: UUID_TEXT bytes. Call it on the CPU executor
 * only. */
int pilot_begin(struct farm *farm, struct db *db, const struct pilot_request *q, char *id,
                struct err *e) MUST_CHECK;
struct pilot_word {
    const char *by;
    db_body also; /* runs in the transaction that ends the pilot */
    void *ctx;
};
/* Cancels a pilot and its run. ERR_CONFLICT when it is over. A cancelled pilot stays cancelled, without an
 * error. */
int pilot_cancel(struct farm *farm, struct db *db, const char *id, const struct pilot_word *word,
                 struct err *e) MUST_CHECK;
/* Continues a pilot. ERR_CONFLICT unless it failed or was cancelled. */
int pilot_again(struct farm *farm, struct db *db, const struct pilot_row *p, struct err *e) MUST_CHECK;

/* Assigns `run` to the pilot. Call it in the transaction that creates the run. ERR_CONFLICT: the pilot no longer
 * waits for a run. */
int pilot_ran(struct db *db, const char *pilot, const char *run, wall_us now, struct err *e) MUST_CHECK;
/* Runs all due steps if this server is the leader. Call it on the CPU executor only. */
int pilots_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
