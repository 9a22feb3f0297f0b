/* server/domain/project/run_projection.h: computes projections from the results of a run, and what follows from
 * them: events, a verdict of its stopping rule, its end.
 *
 * A projection is a function of the set of results. It is always computed from all results and never updated
 * incrementally. So the order of results, restarts and concurrent projections do not change it. */
#ifndef VIVACE_SERVER_RUN_PROJECTION_H
#define VIVACE_SERVER_RUN_PROJECTION_H

#include "server/store/db/db.h"

/* Facts about a projection that was made. */
struct run_renewed {
    bool judged; /* the stopping rule was evaluated; this is rare, and users should see its decision soon */
    bool ended;  /* all jobs have ended, and most likely the run, too: tasks that wait for it may begin */
    /* Time for reading results and computing. It excludes waiting for locks, and therefore writing. */
    uint64_t worked_us;
};
/* Projects one run now, whether or not it has new results. */
int run_projection_renew(struct db *db, struct clock *clock, const char *run, struct run_renewed *out,
                         struct err *e) MUST_CHECK;

#endif
