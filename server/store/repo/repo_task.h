/* server/store/repo/repo_task.h: the queue of tasks, which are simulations that are not jobs of runs. All kinds
 * use the same leases. Each kind has its own table with the parameters of its tasks (repo_recording.h,
 * repo_caches.h, repo_recheck.h). */
#ifndef VIVACE_SERVER_DB_REPO_TASK_H
#define VIVACE_SERVER_DB_REPO_TASK_H

#include "server/store/repo/repo_claim.h"

/* Task kinds, in the order in which they are leased. */
#define TASK_KIND_MAP(X)                                                                                           \
    X(RECORDING, "recording")     /* simulates a result again and keeps its time series, for a user who waits */   \
    X(CACHE_CHECK, "cache_check") /* simulates a launch after the launches before it */                            \
    X(RECHECK, "recheck")         /* simulates a result on a second worker */
enum task_kind {
#define X(name, text) TASK_##name,
    TASK_KIND_MAP(X)
#undef X
};

/* Returns 1 when a task waits or is leased, and a connected worker may be able to run it. */
int repo_task_waiting(struct db *db, struct err *e) MUST_CHECK;
/* Leases at most one task to the session and appends it to `leases`. */
int repo_task_take(struct db *db, const struct session_row *session, const struct claim_limits *limits, wall_us now,
                   struct lease_list *leases, struct err *e) MUST_CHECK;
/* Fails tasks of the kind: those whose last attempt was lost and, with the reason `why`, those of another
 * simulator version that no connected worker has. Rows: the ids of their runs, each once; `runs` may be NULL. */
int repo_task_give_up(struct db *db, enum task_kind kind, const char *simulator, const char *why, wall_us now,
                      struct db_rows *runs, struct err *e) MUST_CHECK;

/* Runs stmt, which selects the parameters of the lease (task, attempt, session). Returns 1, or 0 when the session
 * does not have this lease any more. */
int repo_task_held(struct db *db, const struct db_stmt *stmt, const char *task, uint32_t attempt,
                   const char *session, struct db_rows *out, struct err *e) MUST_CHECK;

/* The end of the lease (id, attempt). */
struct task_end {
    const char *id;
    uint32_t attempt;
    bool done;
    const char *why; /* the reason if it is not done */
    bool again;      /* the task may be tried again if attempts remain */
};
/* Adds the parameters $1 to $6 of the fragment task_end (sql/task.sql). */
void task_end_params(struct db_params *p, const struct task_end *end, wall_us now);

#endif
