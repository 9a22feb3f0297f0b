/* server/domain/run/run_moves.h: a run is paused, goes on, or is cancelled by somebody's word. */
#ifndef VIVACE_SERVER_RUN_RUN_MOVES_H
#define VIVACE_SERVER_RUN_RUN_MOVES_H

#include "server/domain/farm.h"
#include "server/store/db/db.h"

struct run_move {
    const char *run, *from, *to; /* from: states, comma-separated */
    const char *by, *verb;       /* "ann", "paused": for the run's events */
    db_body also;                /* in the same transaction, when it moves; or NULL */
    void *ctx;
    bool changed; /* it was in one of these states */
};
int run_moved(struct farm *farm, struct db *db, struct run_move *m, struct err *e) MUST_CHECK;
/* From any state of an open run; fills in from, to and verb. What is ready goes at once, what runs hears of it
 * at its next sign of life; the leader goes on with the jobs of a large run. A run that is cancelled already stays
 * so. */
int run_cancel(struct farm *farm, struct db *db, struct run_move *m, struct err *e) MUST_CHECK;

#endif
