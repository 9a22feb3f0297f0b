/* server/domain/run/again.h: simulates jobs again that have results, because a run switches to another version
 * of the simulator, or because results were found to be wrong. */
#ifndef VIVACE_SERVER_RUN_AGAIN_H
#define VIVACE_SERVER_RUN_AGAIN_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_discard.h"

struct db;

struct again_asked {
    const char *by; /* user name for the run's events */
    db_body also;   /* runs in the same transaction */
    void *ctx;
};
/* Simulates all jobs of an open run with the version `simulator`. Results of another version no longer count in
 * the run, but stay stored. One transaction. */
int again_restart(struct farm *farm, struct db *db, const struct again_asked *asked, const char *run,
                  const char *simulator, struct err *e) MUST_CHECK;

/* Discards these results (array literal): marks them, simulates their jobs again (d->quarantine: the jobs fail
 * until a site admin decides), and projects all runs that used them again. One transaction. */
int again_discard(struct farm *farm, struct db *db, const struct discard *d, const char *results,
                  struct err *e) MUST_CHECK;

#endif
