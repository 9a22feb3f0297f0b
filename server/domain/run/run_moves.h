/* server/domain/run/run_moves.h: pauses, resumes or cancels a run at a user's request. */
#ifndef VIVACE_SERVER_RUN_RUN_MOVES_H
#define VIVACE_SERVER_RUN_RUN_MOVES_H

#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct run_move {
    const char *run, *from, *to; /* from: states, comma-separated */
    const char *by, *verb;       /* "ann", "paused": for the run's events */
    db_body also;                /* runs in the same transaction if the state changes; or NULL */
    void *ctx;
    bool due;     /* only if its cancellation is due */
    bool changed; /* the run was in one of the `from` states */
};
int run_moved(struct farm *farm, struct db *db, struct run_move *m, struct err *e) MUST_CHECK;
/* Cancels a run from any open state; fills in from, to and verb. Ready jobs are cancelled at once. Running jobs
 * are stopped at their worker's next heartbeat. The leader cancels the remaining jobs of a large run. A
 * cancelled run stays cancelled, without an error. */
int run_cancel(struct farm *farm, struct db *db, struct run_move *m, struct err *e) MUST_CHECK;
/* Pauses an open run, and cancels it after `after_s` seconds of the farm's clock (that of the database), unless a
 * user undoes the cancellation. Uses run, by, also and ctx. A cancellation that is already pending keeps its time.
 */
int run_cancel_later(struct farm *farm, struct db *db, struct run_move *m, double after_s,
                     struct err *e) MUST_CHECK;
/* Undoes a pending cancellation. The run is running or paused again, as before. Uses run, by, also and ctx. */
int run_cancel_undo(struct farm *farm, struct db *db, struct run_move *m, struct err *e) MUST_CHECK;
/* The leader calls it periodically: cancels the runs whose time has come. *next: time of the next cancellation, if
 * there is one. */
int run_cancels_tick(struct farm *farm, struct db *db, wall_us *next, struct err *e) MUST_CHECK;

#endif
