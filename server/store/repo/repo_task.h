/* server/store/repo/repo_task.h: the queue of tasks (schema/0541): simulations beside the jobs of runs. All kinds
 * have the same leases; what a task is about is in a table of its kind (repo_recording.h, repo_caches.h,
 * repo_recheck.h).
 */
#ifndef VIVACE_SERVER_DB_REPO_TASK_H
#define VIVACE_SERVER_DB_REPO_TASK_H

#include "server/store/repo/repo_claim.h"

/* In the order in which they are leased. */
#define TASK_KIND_MAP(X)                                                                                           \
    X(RECORDING, "recording")     /* a result is simulated again, and its series are kept: a person waits */       \
    X(CACHE_CHECK, "cache_check") /* a launch behind the launches before it */                                     \
    X(RECHECK, "recheck")         /* a result is simulated by a second worker */
enum task_kind {
#define X(name, text) TASK_##name,
    TASK_KIND_MAP(X)
#undef X
};

/* 1: one waits or is leased, and a worker may be connected that can take it. */
int repo_task_waiting(struct db *db, struct err *e) MUST_CHECK;
/* Leases at most one to the session; added to `leases`. */
int repo_task_take(struct db *db, const struct session_row *session, const struct claim_limits *limits, wall_us now,
                   struct lease_list *leases, struct err *e) MUST_CHECK;
/* Tasks of the kind fail: those whose last attempt was lost, and, as `why` says, those of another simulator than
 * the farm's, where no connected worker has that one. Rows: the runs that they are of, each once; may be NULL. */
int repo_task_give_up(struct db *db, enum task_kind kind, const char *simulator, const char *why, wall_us now,
                      struct db_rows *runs, struct err *e) MUST_CHECK;

/* What the lease (task, attempt, session) is about, as stmt of these three selects it: 1, or 0 when it is not this
 * session's any more. */
int repo_task_held(struct db *db, const struct db_stmt *stmt, const char *task, uint32_t attempt,
                   const char *session, struct db_rows *out, struct err *e) MUST_CHECK;

/* The end of the lease (id, attempt). */
struct task_end {
    const char *id;
    uint32_t attempt;
    bool done;
    const char *why; /* where it is not done */
    bool again;      /* it may be tried again while attempts are left */
};
/* Parameters $1 to $6 of the fragment task_end (sql/task.sql). */
void task_end_params(struct db_params *p, const struct task_end *end, wall_us now);

#endif
