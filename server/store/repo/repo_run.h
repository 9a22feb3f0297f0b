/* server/store/repo/repo_run.h: runs, and what pages show of them. */
#ifndef VIVACE_SERVER_DB_REPO_RUN_H
#define VIVACE_SERVER_DB_REPO_RUN_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/list_order.h"
#include "wire/lease.h"

struct run_row {
    char id[UUID_TEXT], plan[UUID_TEXT], profile[UUID_TEXT];
    char state[16];
    enum job_engine engine;
    int64_t version, jobs, done;
    bool half_notified, promise_notified;
    int strata_notified;
    wall_us created_at;
    double error, confidence; /* the promise: of the run's rule, else of the plan */
    bool promised;            /* false: the method promises nothing */
    bool dropped;             /* its jobs were deleted, long after it ended */
    bool ruled;               /* it has a rule: its looks say when it is over */
    double inside_kernels;    /* 0: all launches are simulated whole */
};
struct new_run {
    const char *id, *plan, *simulator, *by;
    enum job_engine engine;
    int priority;
    int64_t jobs;          /* that will be made for it */
    double inside_kernels; /* 0: all launches are simulated whole */
};
int repo_run_put(struct db *db, const struct new_run *r, wall_us now, struct err *e) MUST_CHECK;
/* design_sha256 and clock: "" and NaN for a replay without a design. */
int repo_run_put_design(struct db *db, const char *run, int number, const char *sha256, const char *name,
                        double clock_hz, struct err *e) MUST_CHECK;
/* Counts its jobs, where more were made. */
int repo_run_set_jobs(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* 1 found, 0 not in this team; team < 0: any. Locks nothing. */
int repo_run_find(struct db *db, const char *id, int64_t team, struct run_row *out, struct err *e) MUST_CHECK;
/* Changes the state of an open run when it is one of `from` (comma-separated); 1 changed, 0 not. One that is
 * cancelled ends `now`. */
int repo_run_move(struct db *db, const char *id, const char *from, const char *to, wall_us now,
                  struct err *e) MUST_CHECK;
/* More is to be simulated of it: one that was done or had failed goes on, and any is looked at again. After its
 * jobs in a transaction. */
int repo_run_take_up(struct db *db, const char *id, struct err *e) MUST_CHECK;
int repo_run_designs(struct db *db, const char *id, int64_t *out, struct err *e) MUST_CHECK;
/* Locks the run: 1 when it is running and of that version still, 0 when not. Inside a transaction. */
int repo_run_still(struct db *db, const char *id, int64_t version, struct err *e) MUST_CHECK;
/* Ends a run whose projection, of that version, this transaction has written: the projection stays up to date. 1
 * when it was open and of that version still, 0 when not. */
int repo_run_end(struct db *db, const char *id, int64_t version, const char *state, wall_us now,
                 struct err *e) MUST_CHECK;
/* Raises the version of these runs (array literal), so that the projector looks at them; locks in order of id. */
int repo_run_touch(struct db *db, const char *ids, struct err *e) MUST_CHECK;
/* Open runs of the cycle engine over a profile: ids. */
int repo_run_open_of_profile(struct db *db, const char *profile, struct db_rows *out, struct err *e) MUST_CHECK;
/* Ids of runs whose projection is behind, in order, at most REPO_RUN_BEHIND of those after that id. */
#define REPO_RUN_BEHIND 100
int repo_run_behind(struct db *db, const char *after, struct db_rows *out, struct err *e) MUST_CHECK;
/* Runs that are not over, in order of id: id, version, jobs leased. */
int repo_run_open(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

/* One event "run.progress" with counts and projections as they are now. */
int repo_run_say_progress(struct db *db, const char *id, wall_us now, struct err *e) MUST_CHECK;

/* --- JSON for pages --- */
int repo_run_json(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_run_projection_json(struct db *db, const char *id, struct strbuf *out, struct err *e) MUST_CHECK;
int repo_run_convergence_json(struct db *db, const char *id, const char *design, struct strbuf *out,
                              struct err *e) MUST_CHECK;
/* Rows: JSON text, cursor. design NULL: the baseline. */
int repo_run_strata(struct db *db, const char *id, const char *design, int64_t after, uint64_t limit,
                    struct db_rows *out, struct err *e) MUST_CHECK;
/* Rows: JSON text, id, with a column its key. workload: of this one, like: with these letters in the name of the
 * workload or of a design; NULL for all. Columns of the order: designs, workload, state, done (the share of its
 * jobs), created. */
int repo_run_list(struct db *db, int64_t team, const char *workload, const char *like,
                  const struct list_order *order, struct db_rows *out, struct err *e) MUST_CHECK;
int repo_run_events(struct db *db, const char *id, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e) MUST_CHECK;
/* What a workload's row and page show: JSON texts. */
int repo_run_latest(struct db *db, const char *workload, struct strbuf *plan, struct strbuf *run,
                    struct err *e) MUST_CHECK;
int repo_run_of_workload(struct db *db, const char *workload, struct strbuf *plans, struct strbuf *runs,
                         struct err *e) MUST_CHECK;
/* Rows: JSON and id of sessions that are alive, or were since then; at most limit + 1, behind the session `after`
 * ("": from the first). */
int repo_run_workers(struct db *db, wall_us since, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e) MUST_CHECK;

#endif
