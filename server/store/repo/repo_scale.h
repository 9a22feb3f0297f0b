/* server/store/repo/repo_scale.h: how much work waits, and what the launcher says about itself
 * (schema/0012_operation.sql). */
#ifndef VIVACE_SERVER_DB_REPO_SCALE_H
#define VIVACE_SERVER_DB_REPO_SCALE_H

#include "server/store/db/db.h"

struct scale_demand {
    uint64_t ready_jobs;
    double expected_s; /* of one slot, for all of them */
    uint32_t busy;     /* workers that hold a lease */
};
int repo_scale_demand(struct db *db, struct scale_demand *out, struct err *e) MUST_CHECK;

struct scale_report {
    const char *kind;    /* "local", "slurm" */
    const char *problem; /* "": nothing is wrong */
    uint32_t wanted, running, waiting;
};
int repo_scale_report(struct db *db, const struct scale_report *r, wall_us now, struct err *e) MUST_CHECK;
/* Nobody launches any more: the row goes. */
int repo_scale_forget(struct db *db, struct err *e) MUST_CHECK;

#endif
