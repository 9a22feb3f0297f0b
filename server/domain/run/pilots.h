/* server/domain/run/pilots.h: pilots that the farm makes (sampling/pilot.h has what they are).
 *
 *   starting --its run--> simulating --run is over--> planning --profile of cycles, plan--> done
 *
 * All that is known is in the database. The leader takes each step whenever one is due: the transaction that stores
 * what a step made moves the pilot as well, if it is still where it was, so that a step which a stop interrupted is
 * taken again and two servers that take one at once make one thing. An error that lasts ends it with its reason;
 * what may pass (the database away, a full disk) is noted, and tried again. */
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
    const json_t *plan;      /* asked for: plan_request.h; NULL: the usual one */
    const struct idempotent_key *once;
};
/* Everything that can be known now is checked: ERR_INVALID for a profile that has no counts or a plan that could
 * not be made of its cycles, ERR_CONFLICT where a shape has no trace. id: UUID_TEXT bytes. CPU executor only. */
int pilot_begin(struct farm *farm, struct db *db, const struct pilot_request *q, char *id,
                struct err *e) MUST_CHECK;
struct pilot_word {
    const char *by;
    db_body also; /* in the transaction that ends it */
    void *ctx;
};
/* With its run. ERR_CONFLICT when it is over; one that is cancelled already stays so. */
int pilot_cancel(struct farm *farm, struct db *db, const char *id, const struct pilot_word *word,
                 struct err *e) MUST_CHECK;
/* ERR_CONFLICT unless it failed or was cancelled. */
int pilot_again(struct farm *farm, struct db *db, const struct pilot_row *p, struct err *e) MUST_CHECK;

/* Inside the transaction that makes `run`: it is this pilot's. ERR_CONFLICT: it does not wait for one any more. */
int pilot_ran(struct db *db, const char *pilot, const char *run, wall_us now, struct err *e) MUST_CHECK;
/* All steps that are due, if this server leads. CPU executor only. */
int pilots_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
