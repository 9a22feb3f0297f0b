/* server/store/repo/repo_job.h: the queue's table. Rows are reached by primary key only, locked in order of id, and
 * their state is tested on the locked rows: naming the state in the look-up would walk dead index entries. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_H
#define VIVACE_SERVER_DB_REPO_JOB_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/job_state.h"

/* --- What ends attempts (repo_job_end.c): lock rows, decide in C, write back in one statement. --- */
struct job_row {
    char id[UUID_TEXT], run[UUID_TEXT], session[UUID_TEXT]; /* session: "" unless leased */
    enum job_state state;
    int attempt;
    struct job_budgets budgets;
    wall_us leased_at;
    char key[SHA256_HEX];
    bool cycle;
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX]; /* "" where there is none */
    char simulator[WIRE_VERSION], design[WIRE_NAME], worker[WIRE_NAME];
    double inside_kernels; /* of its run */
    int64_t design_number; /* in its run */
    int64_t token;         /* that the session which has it came with; 0: a person, or it is not leased */
    /* what to write; changed says that there is something */
    bool changed;
    wall_us ready_at;
    char result[UUID_TEXT];
    const char *failure; /* static text */
    char failure_text[WIRE_MESSAGE_BYTES];
};
struct job_rows {
    size_t count;
    struct job_row *items; /* by id */
};
void job_rows_release(struct job_rows *r);
struct job_row *job_rows_find(const struct job_rows *r, const char *id); /* NULL: not there */
/* ids: a PostgreSQL array literal of that number of uuids. */
int repo_job_lock(struct db *db, const char *ids, size_t count, struct job_rows *out, struct err *e) MUST_CHECK;

struct attempt_row {
    const char *job;
    int number;
    const char *worker, *session;
    wall_us started_at;
    const char *outcome, *message, *last_lines;
    double host_seconds, cpu_seconds; /* NaN: not known */
    int64_t peak_bytes;
};
struct job_ends {
    const struct job_rows *rows;
    const struct attempt_row *attempts;
    size_t attempt_count;
    const char *const *runs; /* to be looked at again */
    size_t run_count;
    const char *late_keys; /* array literal, hex: of results that came when their lease was gone; NULL: none */
};
/* Writes all rows that changed, the attempts that ended by that, `now`, and lets the jobs that waited for these be
 * done by the same result, or fail for the same reason. Jobs with the key of a late result are done by it, too,
 * whatever became of them, unless they were cancelled or archived; runs that had failed go on. */
int repo_job_end(struct db *db, const struct job_ends *ends, wall_us now, struct err *e) MUST_CHECK;
struct ended_attempt {
    int64_t token; /* that it was given out to; 0: a person */
    char worker[WIRE_NAME];
    bool well; /* it gave a result */
};
/* An attempt that has ended: 1, or 0 where none is known. */
int repo_job_attempt(struct db *db, const char *job, int attempt, struct ended_attempt *out,
                     struct err *e) MUST_CHECK;
/* Different sessions that died under a job. */
int repo_job_dead_sessions(struct db *db, const char *job, int *out, struct err *e) MUST_CHECK;
/* The launch that a job simulates. */
int repo_job_launch(struct db *db, const char *job, int64_t *out, struct err *e) MUST_CHECK;

/* --- Admission: blocked jobs of a run that have their trace become ready, or done where the result exists. Takes
 * the farm-wide admission lock for the rest of the transaction. *admitted: rows that left blocked. Taken
 * before bindings are read or runs are listed, it keeps a trace and a run that are made at once from missing each
 * other. --- */
int repo_job_admission_lock(struct db *db, struct err *e) MUST_CHECK;
/* Jobs of the run that a report may change, for who changes the run and then its jobs: reports lock jobs before
 * runs. After the admission lock. */
int repo_job_live_lock(struct db *db, const char *run, struct err *e) MUST_CHECK;
/* For the rest of the transaction a statement may take two minutes. */
int repo_job_long_work(struct db *db, struct err *e) MUST_CHECK;
int repo_job_create(struct db *db, const char *run, wall_us now, struct err *e) MUST_CHECK;
struct job_range { /* seq */
    int64_t first, last;
};
int repo_job_bind_traces(struct db *db, const char *run, const struct job_range *of, struct err *e) MUST_CHECK;
/* Jobs that were done at once, since this process began: their results were there. A repeated transaction counts
 * again. */
uint64_t repo_job_cache_hits(void);
void repo_job_count_hits(uint64_t n);
/* of: NULL means all. */
int repo_job_admit(struct db *db, const char *run, const struct job_range *of, wall_us now, int64_t *admitted,
                   struct err *e) MUST_CHECK;
/* Waiting jobs whose leader is gone or is in a run that does not run take its place. These may be of any run,
 * so where the caller holds his own run and its jobs (a redraw, an undo) they come out of order: a report that has
 * one of them and waits for one of his can lock up with him. PostgreSQL ends one of the two, and a lock that is
 * waited for longer than lock_timeout as well; db_transaction() does it again, from the start. Two who heal never
 * meet, because of the admission lock. Where the run need not be held, heal in a transaction of its own. */
int repo_job_heal(struct db *db, struct err *e) MUST_CHECK;

/* --- Users' moves --- */
/* 1: it was failed and is ready again; 0: it was not failed. Inside a transaction. */
int repo_job_retry(struct db *db, const char *job, wall_us now, struct err *e) MUST_CHECK;

/* --- Reading --- */
struct job_counts {
    int64_t of[JOB_STATE_COUNT];
};
int repo_job_counts(struct db *db, const char *run, struct job_counts *out, struct err *e) MUST_CHECK;
/* 1 found, 0 not in this team. run: UUID_TEXT bytes or NULL. */
int repo_job_find(struct db *db, const char *job, int64_t team, char *run, struct err *e) MUST_CHECK;

#endif
