/* server/store/repo/repo_scale.h: the amount of waiting work, and the status report of the launcher
 * (schema/0012_operation.sql). */
#ifndef VIVACE_SERVER_DB_REPO_SCALE_H
#define VIVACE_SERVER_DB_REPO_SCALE_H

#include "server/store/db/db.h"

struct scale_demand {
    uint64_t ready_jobs;
    double expected_s; /* time that one slot needs for all of them */
    uint32_t busy;     /* workers that hold a lease */
};
int repo_scale_demand(struct db *db, struct scale_demand *out, struct err *e) MUST_CHECK;

struct scale_report {
    const char *kind;    /* "local", "slurm" */
    const char *problem; /* "": no problem */
    uint32_t wanted, running, waiting;
};
int repo_scale_report(struct db *db, const struct scale_report *r, wall_us now, struct err *e) MUST_CHECK;
/* Deletes the row, because no server runs a launcher any more. */
int repo_scale_forget(struct db *db, struct err *e) MUST_CHECK;

#endif
