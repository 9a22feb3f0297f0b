#include "server/store/repo/repo_job.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/repo_activity.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/sql/statements.h"

static const struct job_range all_jobs = {0, INT32_MAX};

/* Runs a statement with an id and an optional time and range. *out (may be NULL): the first column of the first
 * row. Returns the number of rows written. */
static int64_t with_id(struct db *db, const struct db_stmt *stmt, const char *id, const wall_us *now,
                       const struct job_range *of, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int64_t affected;

    db_text(&p, id);
    if (now)
        db_time(&p, *now);
    if (of) {
        db_i64(&p, of->first);
        db_i64(&p, of->last);
    }
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    affected = q.affected;
    if (out)
        *out = q.count > 0 ? db_get_i64(&q, 0, 0) : 0;
    db_rows_release(&q);
    return affected;
}

int repo_job_admission_lock(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_job_admission_lock, &none, NULL, e);
}

int repo_job_live_lock(struct db *db, const char *run, struct err *e)
{
    return with_id(db, &sql_job_live_lock, run, NULL, NULL, NULL, e) < 0 ? -1 : 0;
}

int repo_job_long_work(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_job_long_work, &none, NULL, e);
}

int repo_job_create(struct db *db, const char *run, wall_us now, struct err *e)
{
    struct db_params off = DB_PARAMS_INIT, on = DB_PARAMS_INIT;

    db_text(&off, "off");
    db_text(&on, "on");
    if (repo_job_long_work(db, e) < 0 || db_query(db, &sql_job_create_scans, &off, NULL, e) < 0 ||
        with_id(db, &sql_job_create, run, &now, NULL, NULL, e) < 0)
        return -1;
    return db_query(db, &sql_job_create_scans, &on, NULL, e);
}

int repo_job_bind_traces(struct db *db, const char *run, const struct job_range *of, struct err *e)
{
    return with_id(db, &sql_job_bind_traces, run, NULL, of, NULL, e) < 0 ? -1 : 0;
}

static atomic_uint_fast64_t cache_hits;

void repo_job_count_hits(uint64_t n)
{
    atomic_fetch_add(&cache_hits, n);
}

uint64_t repo_job_cache_hits(void)
{
    return atomic_load(&cache_hits);
}

int repo_job_admit(struct db *db, const char *run, const struct job_range *of, wall_us now, int64_t *admitted,
                   struct err *e)
{
    int64_t known, ready;

    if (!of)
        of = &all_jobs;

    if (repo_job_admission_lock(db, e) < 0 ||
        /* This locks the leaders of the keys, so none can end from here on. Results of those that ended before are
         * stored. */
        with_id(db, &sql_job_lock_leaders, run, NULL, of, NULL, e) < 0 ||
        with_id(db, &sql_job_admit_cached, run, &now, of, &known, e) < 0)
        return -1;
    ready = with_id(db, &sql_job_admit, run, &now, of, NULL, e);
    if (ready < 0)
        return -1;
    repo_job_count_hits((uint64_t)known);
    if (admitted)
        *admitted = known + ready;
    return 0;
}

int repo_job_reconcile(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    int any = repo_job_admission_lock(db, e) < 0 ? -1 : db_any(db, &sql_job_heal_any, &none, e);

    if (any <= 0)
        return any;
    if (db_query(db, &sql_job_heal_resting, &none, NULL, e) < 0 ||
        db_query(db, &sql_job_heal_promote, &none, NULL, e) < 0)
        return -1;
    return db_query(db, &sql_job_heal_follow, &none, NULL, e);
}

/* Reads the run of a job by the statement. Returns 1, or 0 when there is no row. */
static int run_of(struct db *db, const struct db_stmt *stmt, const char *job, char run[UUID_TEXT], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        snprintf(run, UUID_TEXT, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}

/* Moves the run back from the archive. The archive contains all jobs of a run or none, even if archiving was in
 * progress. */
static int bring_back(struct db *db, const char *run, struct err *e)
{
    return repo_job_long_work(db, e) < 0 ? -1 : repo_archive_return(db, run, e);
}

int repo_job_retry(struct db *db, const char *job, wall_us now, struct err *e)
{
    char run[UUID_TEXT];
    int found = run_of(db, &sql_job_retry, job, run, e);
    bool gone = found == 0;

    if (gone)
        found = run_of(db, &sql_job_archived, job, run, e);
    if (found > 0 && bring_back(db, run, e) < 0)
        return -1;
    if (found > 0 && gone)
        found = run_of(db, &sql_job_retry, job, run, e);
    if (found <= 0)
        return found;
    if (repo_activity_unlose(db, job, e) < 0 || with_id(db, &sql_job_forget_losses, job, NULL, NULL, NULL, e) < 0 ||
        repo_job_admit(db, run, NULL, now, NULL, e) < 0)
        return -1;
    return 1;
}

static void read_counts(const struct db_rows *q, struct job_counts *out)
{
    enum job_state s;

    for (int i = 0; i < q->count; i++) {
        if (job_state_from_name(db_get(q, i, 0), &s) == 0)
            out->of[s] += db_get_i64(q, i, 1);
    }
}

int repo_job_counts(struct db *db, const char *run, struct job_counts *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct job_counts){{0}};
    db_text(&p, run);
    if (db_query(db, &sql_job_counts, &p, &q, e) < 0)
        return -1;
    read_counts(&q, out);
    db_rows_release(&q);
    return 0;
}

int repo_job_find(struct db *db, const char *job, int64_t team, char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    db_i64(&p, team);
    if (db_query(db, &sql_job_find, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found && run)
        snprintf(run, UUID_TEXT, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}
