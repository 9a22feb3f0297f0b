/* For run_projection*.c only: the state of one projection, and the events that it writes. */
#ifndef VIVACE_SERVER_RUN_PROJECTION_INTERNAL_H
#define VIVACE_SERVER_RUN_PROJECTION_INTERNAL_H

#include "sampling/time/makespan.h"
#include "server/store/repo/repo_job.h"
#include "server/domain/project/stopping.h"
#include "server/domain/project/run_differences.h"

struct work {
    struct clock *clock;
    struct run_results in;
    struct projection *projections;
    struct run_levels levels;
    struct run_differences differences; /* between each design and design 0 */
    struct warm_bound *warm_bounds;     /* per design; value NaN: unknown, or no launch began with empty caches */
    struct makespan *makespans;
    struct communication_split *communication; /* launches 0: none, or unknown */
    double measured_s;
    struct job_counts counts;
    struct verdict verdict; /* of a run with a stopping rule */
    bool ended;
    bool large; /* the profile is large, and this thread has the lock for large ones */
};

/* Each function writes at most one event, in the transaction that writes the projection. *said: whether, or how
 * much of, it was reported; input and output. */
int run_projection_say_strata(struct work *w, struct db *db, wall_us now, int *said, struct err *e) MUST_CHECK;
int run_projection_say_promise(struct work *w, struct db *db, wall_us now, bool *said, struct err *e) MUST_CHECK;
int run_projection_say_half(struct work *w, struct db *db, wall_us now, bool *said, struct err *e) MUST_CHECK;
int run_projection_say_end(struct work *w, struct db *db, wall_us now, const char *state, struct err *e) MUST_CHECK;

#endif
