/* server/domain/run/again.h: jobs that have results and are simulated again, because those are not to count: a run
 * goes on with another version of the simulator, or results were found wrong. */
#ifndef VIVACE_SERVER_RUN_AGAIN_H
#define VIVACE_SERVER_RUN_AGAIN_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_discard.h"

struct db;

struct again_asked {
    const char *by; /* for the run's events */
    db_body also;   /* in the same transaction */
    void *ctx;
};
/* All of a run that is under way is simulated by `simulator`; results of another version do not count in it any
 * more, and stay known. One transaction. */
int again_restart(struct farm *farm, struct db *db, const struct again_asked *asked, const char *run,
                  const char *simulator, struct err *e) MUST_CHECK;

/* These results (array literal) do not count any more: they are marked, the jobs that they had done are simulated
 * again (d->quarantine: fail until somebody decides), and all runs that used them are projected anew. One
 * transaction. */
int again_discard(struct farm *farm, struct db *db, const struct discard *d, const char *results,
                  struct err *e) MUST_CHECK;

#endif
