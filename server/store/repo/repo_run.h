/* server/store/repo/repo_run.h: runs, and their JSON for the API. */
#ifndef VIVACE_SERVER_DB_REPO_RUN_H
#define VIVACE_SERVER_DB_REPO_RUN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/list_order.h"
#include "server/store/repo/repo_label.h"
#include "wire/lease.h"

struct run_row {
    char id[UUID_TEXT], plan[UUID_TEXT], profile[UUID_TEXT];
    char state[16];
    enum job_engine engine;
    int64_t version, jobs, done;
    bool half_notified, promise_notified;
    int strata_notified;
    wall_us created_at;
    double error, confidence; /* the promise of the run's stopping rule, else of the plan */
    bool promised;            /* false: the method promises no error */
    bool dropped;             /* its jobs were deleted, long after the run ended */
    bool ruled;               /* it has a stopping rule, whose interim analyses decide when the run ends */
    double inside_kernels;    /* 0: all launches are simulated whole */
};
struct new_run {
    const char *id, *plan, *simulator, *by;
    enum job_engine engine;
    int priority;
    int64_t jobs;           /* number of jobs that will be created */
    double inside_kernels;  /* 0: all launches are simulated whole */
    bool allow_foreign_isa; /* instructions that a design's GPU does not have are simulated */
};
int repo_run_put(struct db *db, const struct new_run *r, wall_us now, struct err *e) MUST_CHECK;
/* A replay without a design has design_sha256 "" and clock NaN. */
int repo_run_put_design(struct db *db, const char *run, int number, const char *sha256, const char *name,
                        double clock_hz, struct err *e) MUST_CHECK;
/* Updates the number of jobs after more were created. */
int repo_run_set_jobs(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when the run is not in this team. team < 0: any team. Locks nothing. */
int repo_run_find(struct db *db, const char *id, int64_t team, struct run_row *out, struct err *e) MUST_CHECK;
struct run_step {
    const char *run, *from, *to; /* from: states, comma-separated */
    bool due;                    /* only if a cancellation is due */
};
/* Changes the state of an open run if it is one of `from`. Returns 1 when changed, else 0. A cancelled run gets the
 * end time `now`. Every change of the state ends a pending cancellation. */
int repo_run_move(struct db *db, const struct run_step *step, wall_us now, struct err *e) MUST_CHECK;
/* Pauses an open run and sets the time of its cancellation. Returns 1, or 0 when the run has ended or has a pending
 * cancellation. */
int repo_run_cancel_later(struct db *db, const char *id, wall_us at, const char *by, struct err *e) MUST_CHECK;
/* Undoes a pending cancellation; a run that was running continues. Returns 1, or 0 when no cancellation is pending.
 */
int repo_run_cancel_undo(struct db *db, const char *id, struct err *e) MUST_CHECK;
/* Rows: id, user who requested it, time of the next 100 pending cancellations, the earliest first. */
int repo_run_cancel_due(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;
/* Continues the run, because more of it must be simulated. A done or failed run becomes running, and the projector
 * processes any run again. Call inside a transaction, after the change of its jobs. */
int repo_run_take_up(struct db *db, const char *id, struct err *e) MUST_CHECK;
int repo_run_designs(struct db *db, const char *id, int64_t *out, struct err *e) MUST_CHECK;
/* Locks the run. Returns 1 when it is running and still has that version, else 0. Call inside a transaction. */
int repo_run_still(struct db *db, const char *id, int64_t version, struct err *e) MUST_CHECK;
/* Ends a run whose projection of that version this transaction has written. The projection remains current.
 * Returns 1 when the run was open and still had that version, else 0. */
int repo_run_end(struct db *db, const char *id, int64_t version, const char *state, wall_us now,
                 struct err *e) MUST_CHECK;
/* Increments the version of these runs (array literal), so that the projector processes them. Locks in order of
 * id. */
int repo_run_touch(struct db *db, const char *ids, struct err *e) MUST_CHECK;
/* Rows: ids of open runs of the cycle engine over a profile. */
int repo_run_open_of_profile(struct db *db, const char *profile, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: ids of runs whose projection is older than their version, in order of id, at most REPO_RUN_BEHIND after
 * that id. */
#define REPO_RUN_BEHIND 100
int repo_run_behind(struct db *db, const char *after, struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows in order of id: id, version, number of leased jobs of the runs that are not over. */
int repo_run_open(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

/* Emits an event "run.progress" with the current counts and projections. */
int repo_run_say_progress(struct db *db, const char *id, wall_us now, struct err *e) MUST_CHECK;

/* --- JSON of the API --- */
int repo_run_json(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_run_projection_json(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_run_convergence_json(struct db *db, const char *id, const char *design, struct strbuf *out,
                              struct err *e) MUST_CHECK;
/* Rows: JSON text, cursor. design NULL: the baseline. */
int repo_run_strata(struct db *db, const char *id, const char *design, int64_t after, uint64_t limit,
                    struct db_rows *out, struct err *e) MUST_CHECK;
struct run_filter {
    const char *workload; /* only its runs; NULL: all */
    const char *like;     /* a part of the name of the run, the workload or a design; NULL: all */
    struct label_filter label;
};
/* Rows: JSON text, id, and the sort key if the order has a column. Sort columns: designs, workload, state, done
 * (fraction of the jobs), created. */
int repo_run_list(struct db *db, int64_t team, const struct run_filter *only, const struct list_order *order,
                  struct db_rows *out, struct err *e) MUST_CHECK;
int repo_run_events(struct db *db, const char *id, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;
/* JSON texts for a workload's row in the list and for its page. */
int repo_run_latest(struct db *db, const char *workload, struct strbuf *plan, struct strbuf *run,
                    struct err *e) MUST_CHECK;
int repo_run_of_workload(struct db *db, const char *workload, struct strbuf *plans, struct strbuf *runs,
                         struct err *e) MUST_CHECK;
/* Rows: JSON and id of sessions that are alive or had a heartbeat since that time. At most limit + 1, after the
 * session `after` ("": from the first). */
int repo_run_workers(struct db *db, wall_us since, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e) MUST_CHECK;

#endif
