/* server/domain/run/planner.h: profile -> plan rows; plan x designs -> a run and its job rows, each in one
 * transaction. */
#ifndef VIVACE_SERVER_PLANNER_H
#define VIVACE_SERVER_PLANNER_H

#include "sampling/plan.h"
#include "server/domain/farm.h"
#include "server/store/repo/repo_idempotency.h"
#include "server/store/repo/repo_look.h"
#include "wire/lease.h"

/* Plans and stores; id: UUID_TEXT bytes. Takes a second for some million launches: CPU executor only. */
int planner_plan(struct farm *farm, struct db *db, const char *profile_id, const char *method,
                 const struct plan_params *params, const struct idempotent_key *once, char *id,
                 struct err *e) MUST_CHECK;

#define RUN_DESIGNS_MAX  32
#define RUN_JOBS_MAX     1000000
#define RUN_PRIORITY_MAX 100 /* and least: -100 */
struct run_request {
    const char *plan;
    int64_t team;
    enum job_engine engine;
    size_t count;
    const char *designs[RUN_DESIGNS_MAX]; /* names or hashes; none: a replay without a design */
    const char *by;
    int priority;          /* in the team: higher ones go first */
    double inside_kernels; /* launches may be projected inside: sampling/within_launch.h; 0: they may not */
    int64_t cache_check;   /* launches to simulate once more after a replay: run/cache_checks.h */
    bool ruled; /* it decides for itself when it is over (server/domain/project/stopping.h): begins with a pilot of
                   the plan */
    struct rule_row rule;              /* confidence 0: the plan's */
    const char *pilot;                 /* id of the pilot that it is for (run/pilots.h), or NULL */
    const struct idempotent_key *once; /* store/repo/repo_idempotency.h; NULL: the request had no key */
};
/* Jobs whose result is known are done at once; those without a trace wait. `profile`: of the plan. */
int planner_run(struct farm *farm, struct db *db, const struct run_request *request, const char *profile, char *id,
                struct err *e) MUST_CHECK;

#endif
