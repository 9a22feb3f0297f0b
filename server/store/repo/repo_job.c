#include "server/store/repo/repo_job.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/repo_activity.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_job_sql.h"
#include "server/store/repo/repo_tally.h"

extern const struct db_stmt repo_job_stmts[];
const struct db_stmt repo_job_stmts[] = {
    /* One job a sample and design that has none yet. Within a stratum the order is shuffled by the plan's seed, so
     * that what is done so far is a fair sample; the first sample of each stratum comes before the second of any.
     */
    {"job_create",
     "INSERT INTO job (id, run_id, seq, sample, design, trace_sha256, key)"
     " SELECT uuid_at($2::timestamptz), r.id,"
     "        (row_number() OVER (ORDER BY s.turn, s.stratum, d.number)) - 1"
     "          + (SELECT coalesce(max(seq) + 1, 0) FROM job WHERE run_id = $1::uuid),"
     "        s.number, d.number, b.trace_sha256,"
     "        CASE r.engine WHEN 'replay' THEN result_key_replay(f.sha256, s.invocation)"
     "                      ELSE result_key_cycle(b.trace_sha256, d.design_sha256, r.simulator, r.inside_kernels) "
     "END"
     "   FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"
     "   JOIN run_design d ON d.run_id = r.id"
     "   CROSS JOIN LATERAL (SELECT number, stratum, invocation, row_number() OVER (PARTITION BY stratum"
     "                ORDER BY md5(plan_id::text || ':' || number)) AS turn FROM sample WHERE plan_id = p.id) s"
     "   LEFT JOIN trace_binding b ON b.profile_id = f.id AND b.invocation = s.invocation AND r.engine = 'cycle'"
     "  WHERE r.id = $1::uuid AND NOT EXISTS (SELECT FROM job o WHERE o.run_id = $1::uuid AND o.sample = "
     "s.number)"},
    {"job_bind_traces",
     "UPDATE job j SET trace_sha256 = b.trace_sha256,"
     "       key = result_key_cycle(b.trace_sha256, d.design_sha256, r.simulator, r.inside_kernels)"
     "  FROM run r JOIN plan p ON p.id = r.plan_id JOIN run_design d ON d.run_id = r.id"
     "  JOIN sample s ON s.plan_id = p.id"
     "  JOIN trace_binding b ON b.profile_id = p.profile_id AND b.invocation = s.invocation"
     " WHERE r.id = $1::uuid AND r.engine = 'cycle' AND j.run_id = r.id AND j.state = 'blocked' AND j.key IS NULL"
     "   AND j.seq >= $2::integer AND j.seq <= $3::integer"
     "   AND j.design = d.number AND j.sample = s.number"},
    /* A million rows take longer than 10 s; of a few, planning for this very run takes longer than the work. */
    {"job_long_work", "SELECT set_config('statement_timeout', '120s', true),"
                      "       set_config('plan_cache_mode', 'force_generic_plan', true)"},
    {"job_admission_lock", "SELECT pg_advisory_xact_lock(7214001)"},
    {"job_live_lock",
     "SELECT count(*) FROM (SELECT FROM job j WHERE run_id = $1::uuid AND state IN ('ready', 'leased')"
     " ORDER BY id FOR UPDATE) l"},
    {"job_admit_cached",
     "WITH hit AS (UPDATE job j SET state = 'done', result_id = t.id, cached = true, finished_at = $2::timestamptz"
     "               FROM result t WHERE j.run_id = $1::uuid AND j.state = 'blocked' AND t.key = j.key"
     "                AND j.seq >= $3::integer AND j.seq <= $4::integer"
     "          RETURNING j.run_id)"
     " UPDATE run r SET version = version + 1, cached = cached + c.n"
     "   FROM (SELECT run_id, count(*) AS n FROM hit GROUP BY run_id) c WHERE r.id = c.run_id RETURNING c.n"},
    {"job_lock_leaders",
     "SELECT id FROM job WHERE id = ANY(ARRAY(SELECT " LIVE_LEADER(
         "w.key") " FROM job w WHERE w.run_id = $1::uuid AND w.state = 'blocked' AND w.key IS NOT NULL"
                  "   AND w.seq >= $2::integer AND w.seq <= $3::integer)) ORDER BY id FOR UPDATE"},
    {"job_admit",
     "WITH mine AS (SELECT id, key, first_value(id) OVER (PARTITION BY key ORDER BY seq) AS first"
     "                FROM job WHERE run_id = $1::uuid AND state = 'blocked' AND key IS NOT NULL"
     "                 AND seq >= $3::integer AND seq <= $4::integer),"
     /* One search by the key a job. A join was planned as a scan of the index of leaders, which this statement
        fills. */
     "     led AS MATERIALIZED (SELECT m.id, coalesce(" LIVE_LEADER(
         "m.key") ", nullif(m.first, m.id)) AS leader FROM mine m)"
                  " UPDATE job j SET state = 'ready', ready_at = $2::timestamptz, waits_on = led.leader FROM led"
                  "  WHERE j.id = led.id"},
    /* Asked of the index: before its first ANALYZE the planner takes nearly all jobs of a table to wait. */
    {"job_heal_any", "SELECT waits_on FROM job WHERE waits_on IS NOT NULL ORDER BY waits_on LIMIT 1"},
    /* One waiting job of each broken group takes the lead: the leader is gone, or rests in a run that is paused. */
    {"job_heal_resting",
     "WITH pick AS (SELECT DISTINCT ON (w.waits_on) w.waits_on AS leader, w.id FROM job w"
     "                JOIN run wr ON wr.id = w.run_id AND wr.state = 'running'"
     "                JOIN job l ON l.id = w.waits_on AND l.state = 'ready' AND l.waits_on IS NULL"
     "                JOIN run lr ON lr.id = l.run_id AND lr.state <> 'running'"
     "               WHERE w.waits_on IS NOT NULL ORDER BY w.waits_on, w.id)"
     " UPDATE job j SET waits_on = p.id FROM pick p"
     "  WHERE j.id = p.leader OR (j.waits_on = p.leader AND j.id <> p.id)"},
    {"job_heal_promote",
     "WITH pick AS (SELECT DISTINCT ON (w.key) w.key, w.id FROM job w JOIN run r ON r.id = w.run_id"
     "                LEFT JOIN job l ON l.id = w.waits_on"
     "               WHERE w.waits_on IS NOT NULL"
     "                 AND (l.id IS NULL OR l.waits_on IS NOT NULL OR l.state NOT IN ('ready', 'leased'))"
     "               ORDER BY w.key, r.state = 'running' DESC, w.id)"
     " UPDATE job j SET waits_on = NULL FROM pick p WHERE j.id = p.id"
     "    AND NOT EXISTS (SELECT 1 FROM job o WHERE o.key = p.key AND o.state IN ('ready', 'leased')"
     "                       AND o.waits_on IS NULL)"},
    {"job_heal_follow",
     "UPDATE job j SET waits_on = o.id FROM job o"
     " WHERE j.waits_on IS NOT NULL AND j.waits_on <> o.id AND o.key = j.key AND o.state IN ('ready', 'leased')"
     "   AND o.waits_on IS NULL"},

    /* For the archive, of runs from before 0440. */
    {"job_cancel_slice",
     "UPDATE job SET state = 'cancelled', session_id = NULL, leased_at = NULL, deadline_at = NULL, waits_on = NULL,"
     "       finished_at = $2::timestamptz"
     " WHERE id IN (SELECT id FROM job WHERE run_id = $1::uuid AND state IN ('blocked', 'ready', 'leased')"
     "               ORDER BY id LIMIT 1000 FOR UPDATE)"},
    {"job_retry", "UPDATE job SET state = 'blocked', failures = 0, troubles = 0, losses = 0, failure = NULL, "
                  "failure_text = NULL,"
                  "       finished_at = NULL WHERE id = $1::uuid AND state = 'failed' RETURNING run_id"},
    {"job_archived", "SELECT run_id FROM job_archive WHERE id = $1::uuid AND state = 'failed'"},
    {"job_forget_losses",
     "UPDATE attempt SET outcome = 'lost before retry' WHERE job_id = $1::uuid AND outcome = 'lost'"},

    {"job_counts", "SELECT c.key, c.value FROM run r, LATERAL json_each_text(" RUN_COUNTS_JSON ") c"
                   " WHERE r.id = $1::uuid"},
    {"job_find",
     "SELECT j.run_id FROM " JOBS_OF_ALL " j JOIN run r ON r.id = j.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id WHERE j.id = $1::uuid AND f.team_id = $2::bigint"},
    {NULL, NULL},
};

static const struct job_range all_jobs = {0, INT32_MAX};

/* A statement with one id, and a time and a range where it has them; *out (if wanted) is the first column of the
 * first row. Returns rows written. */
static int64_t with_id(struct db *db, const char *stmt, const char *id, const wall_us *now,
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

    return db_query(db, "job_admission_lock", &none, NULL, e);
}

int repo_job_live_lock(struct db *db, const char *run, struct err *e)
{
    return with_id(db, "job_live_lock", run, NULL, NULL, NULL, e) < 0 ? -1 : 0;
}

int repo_job_long_work(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "job_long_work", &none, NULL, e);
}

int repo_job_create(struct db *db, const char *run, wall_us now, struct err *e)
{
    if (repo_job_long_work(db, e) < 0)
        return -1;
    return with_id(db, "job_create", run, &now, NULL, NULL, e) < 0 ? -1 : 0;
}

int repo_job_bind_traces(struct db *db, const char *run, const struct job_range *of, struct err *e)
{
    return with_id(db, "job_bind_traces", run, NULL, of, NULL, e) < 0 ? -1 : 0;
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
        /* From here on no leader of these keys can end; those that have ended have left their results. */
        with_id(db, "job_lock_leaders", run, NULL, of, NULL, e) < 0 ||
        with_id(db, "job_admit_cached", run, &now, of, &known, e) < 0)
        return -1;
    ready = with_id(db, "job_admit", run, &now, of, NULL, e);
    if (ready < 0)
        return -1;
    repo_job_count_hits((uint64_t)known);
    if (admitted)
        *admitted = known + ready;
    return 0;
}

int repo_job_heal(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    int any = repo_job_admission_lock(db, e) < 0 ? -1 : db_any(db, "job_heal_any", &none, e);

    if (any <= 0)
        return any;
    if (db_query(db, "job_heal_resting", &none, NULL, e) < 0 ||
        db_query(db, "job_heal_promote", &none, NULL, e) < 0)
        return -1;
    return db_query(db, "job_heal_follow", &none, NULL, e);
}

/* The run that the statement names for a job: 1, or 0 where it names none. */
static int run_of(struct db *db, const char *stmt, const char *job, char run[UUID_TEXT], struct err *e)
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

/* A run lies in the archive as a whole or not at all, also one that was being archived. */
static int bring_back(struct db *db, const char *run, struct err *e)
{
    return repo_job_long_work(db, e) < 0 ? -1 : repo_archive_return(db, run, e);
}

int repo_job_retry(struct db *db, const char *job, wall_us now, struct err *e)
{
    char run[UUID_TEXT];
    int found = run_of(db, "job_retry", job, run, e);
    bool gone = found == 0;

    if (gone)
        found = run_of(db, "job_archived", job, run, e);
    if (found > 0 && bring_back(db, run, e) < 0)
        return -1;
    if (found > 0 && gone)
        found = run_of(db, "job_retry", job, run, e);
    if (found <= 0)
        return found;
    if (repo_activity_unlose(db, job, e) < 0 || with_id(db, "job_forget_losses", job, NULL, NULL, NULL, e) < 0 ||
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
    if (db_query(db, "job_counts", &p, &q, e) < 0)
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
    if (db_query(db, "job_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found && run)
        snprintf(run, UUID_TEXT, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}
