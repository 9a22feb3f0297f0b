/* server/domain/run/planner.h: makes and stores plans from profiles; makes runs and their jobs from plans and
 * designs. Each takes one transaction. */
#ifndef VIVACE_SERVER_PLANNER_H
#define VIVACE_SERVER_PLANNER_H

#include "sampling/plan/plan.h"
#include "server/domain/farm.h"
#include "server/store/repo/repo_idempotency.h"
#include "server/store/repo/repo_interim.h"
#include "wire/lease.h"

/* Makes and stores a plan. id: UUID_TEXT bytes. Takes about a second for some million launches: CPU executor
 * only. */
int planner_plan(struct farm *farm, struct db *db, const char *profile_id, const char *method,
                 const struct plan_params *params, const struct plan_part *part, const struct idempotent_key *once,
                 char *id, struct err *e) MUST_CHECK;

#define RUN_DESIGNS_MAX  32
#define RUN_JOBS_MAX     1000000
#define RUN_PRIORITY_MAX 100 /* the minimum is -100 */
struct run_request {
    const char *plan;
    int64_t team;
    enum job_engine engine;
    size_t count;
    const char *designs[RUN_DESIGNS_MAX]; /* names or hashes; none: a replay without a design */
    const char *by;
    int priority;           /* within the team; higher values first */
    double inside_kernels;  /* target for projections inside launches: sampling/estimate/within_launch.h; 0: not
                               allowed */
    bool allow_foreign_isa; /* simulate instructions that a design's GPU does not have */
    int64_t cache_check;    /* number of launches to simulate again after a replay: run/cache_checks.h */
    bool ruled; /* it has a stopping rule (server/domain/project/stopping.h) and begins with a pilot of the plan */
    struct rule_row rule;              /* confidence 0: the plan's */
    const char *pilot;                 /* id of the pilot that the run belongs to (run/pilots.h), or NULL */
    const struct idempotent_key *once; /* store/repo/repo_idempotency.h; NULL: the request had no key */
};
/* Creates a run. Jobs with known results are done at once; jobs without a trace wait. `profile`: the plan's. */
int planner_run(struct farm *farm, struct db *db, const struct run_request *request, const char *profile, char *id,
                struct err *e) MUST_CHECK;

#endif
