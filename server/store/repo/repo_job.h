/* server/store/repo/repo_job.h: the job queue's table. Statements find rows only by primary key, lock them in
 * order of id, and check the state of the locked rows. A search by state would visit dead index entries. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_H
#define VIVACE_SERVER_DB_REPO_JOB_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/job_state.h"

/* --- Ends of attempts (repo_job_end.c): lock rows, decide in C, write them back in one statement. --- */
struct job_row {
    char id[UUID_TEXT], run[UUID_TEXT], session[UUID_TEXT]; /* session: "" if the job is not leased */
    enum job_state state;
    int attempt;
    struct job_budgets budgets;
    wall_us leased_at;
    char key[SHA256_HEX];
    bool cycle;
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX]; /* "": none */
    char simulator[WIRE_VERSION], design[WIRE_NAME], worker[WIRE_NAME];
    double inside_kernels; /* as the run allows */
    int64_t design_number; /* number of the design in its run */
    int64_t token;         /* token of the session that has leased it; 0: a session of an account, or not leased */
    /* The values to write, if `changed` is set. */
    bool changed;
    wall_us ready_at;
    char result[UUID_TEXT];
    const char *failure; /* a static text */
    char failure_text[WIRE_MESSAGE_BYTES];
};
struct job_rows {
    size_t count;
    struct job_row *items; /* sorted by id */
};
void job_rows_release(struct job_rows *r);
struct job_row *job_rows_find(const struct job_rows *r, const char *id); /* NULL: not found */
/* ids: PostgreSQL array literal of `count` uuids. */
int repo_job_lock(struct db *db, const char *ids, size_t count, struct job_rows *out, struct err *e) MUST_CHECK;

struct attempt_row {
    const char *job;
    int number;
    const char *worker, *session;
    wall_us started_at;
    const char *outcome, *message, *last_lines;
    double host_seconds, cpu_seconds; /* NaN: unknown */
    int64_t peak_bytes;
};
struct job_ends {
    const struct job_rows *rows;
    const struct attempt_row *attempts;
    size_t attempt_count;
    const char *const *runs; /* runs that the projector must process again */
    size_t run_count;
    const char
        *late_keys; /* array literal, hex: keys of results that came after the end of their lease; NULL: none */
};
/* Writes all changed rows and the attempts that ended at `now`. Jobs that waited for these jobs are done by the
 * same result, or fail for the same reason. A late result also completes all jobs with its key in any state,
 * except cancelled and archived ones. Failed runs then continue. */
int repo_job_end(struct db *db, const struct job_ends *ends, wall_us now, struct err *e) MUST_CHECK;
struct ended_attempt {
    int64_t token; /* token of the worker's session; 0: a session of an account */
    char worker[WIRE_NAME];
    bool well; /* the attempt ended with a result */
};
/* Reads an ended attempt. Returns 1, or 0 when it is unknown. */
int repo_job_attempt(struct db *db, const char *job, int attempt, struct ended_attempt *out,
                     struct err *e) MUST_CHECK;
/* The number of different sessions that died while they ran this job. */
int repo_job_dead_sessions(struct db *db, const char *job, int *out, struct err *e) MUST_CHECK;
/* The launch that a job simulates. */
int repo_job_launch(struct db *db, const char *job, int64_t *out, struct err *e) MUST_CHECK;

/* --- Admission --- A blocked job of a run becomes ready when it has its trace, or done when its result exists
 * already. repo_job_admission_lock() takes the farm-wide admission lock for the rest of the transaction. Take it
 * before bindings are read or runs are listed. Then a trace and a run that are created at the same time cannot
 * miss each other. *admitted: the number of jobs that are not blocked any more. --- */
int repo_job_admission_lock(struct db *db, struct err *e) MUST_CHECK;
/* Locks the jobs of the run that a worker's report may change. Reports lock jobs before runs, so callers that
 * change a run and its jobs must lock in the same order. Call it after the admission lock. */
int repo_job_live_lock(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* Sets a statement time-out of two minutes for the rest of the transaction. */
int repo_job_long_work(struct db *db, struct err *e) MUST_CHECK;
int repo_job_create(struct db *db, const char *run, wall_us now, struct err *e) MUST_CHECK;
struct job_range { /* a range of seq */
    int64_t first, last;
};
int repo_job_bind_traces(struct db *db, const char *run, const struct job_range *of, struct err *e) MUST_CHECK;
/* The number of jobs since the start of this process that were done at once because their result existed. A
 * repeated transaction counts again. */
uint64_t repo_job_cache_hits(void);
void repo_job_count_hits(uint64_t n);
/* of NULL: all jobs of the run. */
int repo_job_admit(struct db *db, const char *run, const struct job_range *of, wall_us now, int64_t *admitted,
                   struct err *e) MUST_CHECK;
/* Reconciles jobs that wait for a leader. If the leader does not exist any more or its run is not running, one of
 * the waiting jobs becomes the leader. The jobs may belong to any run. If the caller has locked its own run and
 * jobs (replacement of a sample, undo), this locks jobs out of order, and a deadlock with a report is possible.
 * PostgreSQL ends one of the two transactions, also after lock_timeout, and db_transaction() repeats it. Two calls
 * never run at the same time, because of the admission lock. If the run need not be locked, call this in its own
 * transaction. */
int repo_job_reconcile(struct db *db, struct err *e) MUST_CHECK;

/* --- Actions of users --- */
/* Returns 1 when the failed job is ready again, 0 when it had not failed. Call inside a transaction. */
int repo_job_retry(struct db *db, const char *job, wall_us now, struct err *e) MUST_CHECK;

/* --- Reading --- */
struct job_counts {
    int64_t of[JOB_STATE_COUNT];
};
int repo_job_counts(struct db *db, const char *run, struct job_counts *out, struct err *e) MUST_CHECK;
/* Returns 1, or 0 when the job is not in this team. run: UUID_TEXT bytes, or NULL. */
int repo_job_find(struct db *db, const char *job, int64_t team, char *run, struct err *e) MUST_CHECK;

#endif
