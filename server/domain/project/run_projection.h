/* server/domain/project/run_projection.h: results of a run -> its projections, and what follows from them:
 * sentences, a verdict of its rule, its end.
 *
 * A projection is a function of the set of results alone: it is made again from all of them, never carried forward,
 * so order, restarts and two that do it at once change nothing. */
#ifndef VIVACE_SERVER_RUN_PROJECTION_H
#define VIVACE_SERVER_RUN_PROJECTION_H

#include "server/store/db/db.h"

/* What a projection was. */
struct run_renewed {
    bool judged; /* the run's rule was asked, which is seldom, and whatever it decided shall be seen soon */
    bool ended;  /* its jobs have all ended, and most likely it: what follows a run has its turn */
    /* Reading its results and computing. Not what it waited for others' locks, and so not the writing. */
    uint64_t worked_us;
};
/* Projects one run now, whatever its version. */
int run_projection_renew(struct db *db, struct clock *clock, const char *run, struct run_renewed *out,
                         struct err *e) MUST_CHECK;

#endif
