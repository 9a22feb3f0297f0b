#include "server/store/repo/repo_activity.h"

#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_tally.h"

/* $1 team, $2 now, $3 seconds. Closer than STEP, about a pixel, two intervals of a worker and run are one. */
#define SINCE "($2::timestamptz - make_interval(secs => $3::float8))"
#define STEP  "make_interval(secs => $3::float8 / 1000)"
#define OF_RUN                                                                                                     \
    " JOIN run r ON r.id = x.run_id JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"         \
    " JOIN workload w ON w.id = f.workload_id"
#define WHOSE                                                                                                      \
    "'run', CASE WHEN f.team_id = $1::bigint THEN x.run_id END, 'workload_name', CASE WHEN f.team_id ="            \
    " $1::bigint THEN w.name END"
#define ENDED ATTEMPTS_OF_ALL " t JOIN " JOBS_OF_ALL " j ON j.id = t.job_id WHERE t.ended_at > " SINCE

/* What was rolled up: the minutes from FIRST to UPTO. Attempts are read one by one before FIRST, in the minute in
 * which the window begins, and from LATER on. A minute's rows are of attempts with ROLLED_GAP between them at most,
 * so windows with a smaller STEP are read one by one altogether; all others show the same either way. */
#define ROLLED_GAP "interval '250 milliseconds'"
#define FIRST      "(date_trunc('minute', " SINCE ") + interval '1 minute')"
#define UPTO       "(SELECT CASE WHEN " STEP " >= " ROLLED_GAP " THEN upto ELSE '-infinity' END FROM activity_rolled)"
#define LATER      "(SELECT greatest(" UPTO ", " FIRST "))"
/* Its job, by its id: a plan that reads all jobs would be no better than one that reads all attempts. */
#define ITS_JOB                                                                                                    \
    " CROSS JOIN LATERAL (SELECT run_id, sample, design, result_id FROM job WHERE id = t.job_id UNION ALL"         \
    " SELECT run_id, sample, design, result_id FROM job_archive WHERE id = t.job_id) j"
#define ONE_BY_ONE(columns, and)                                                                                   \
    "SELECT " columns " FROM " ATTEMPTS_OF_ALL " t" ITS_JOB " WHERE t.ended_at > " SINCE                           \
    " AND t.ended_at < " FIRST " " and                                                                             \
        " UNION ALL SELECT " columns " FROM " ATTEMPTS_OF_ALL " t" ITS_JOB " WHERE t.ended_at >= " LATER " " and
#define BY_MINUTE " activity_minute m WHERE m.minute >= " FIRST " AND m.minute < " UPTO
#define OWN_RUN(id)                                                                                                \
    "EXISTS (SELECT FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id WHERE r.id =" \
    " " id " AND f.team_id = $1::bigint)"

#define SLOW_COLUMNS    "t.job_id, t.worker, t.host_seconds, j.run_id, j.sample, j.design, j.result_id"
#define SLOW_ONES_ALONE "t.outcome = 'ok' AND t.host_seconds IS NOT NULL"
#define SLOW_ONES       " AND " SLOW_ONES_ALONE

/* Intervals of table a (worker, run_id, s, e and counts) that touch, or nearly, get one number: table c. */
#define ISLANDS(step)                                                                                              \
    " b AS (SELECT *, max(e) OVER (PARTITION BY worker, run_id ORDER BY s, e"                                      \
    "   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until FROM a),"                                       \
    " c AS (SELECT *, count(*) FILTER (WHERE until IS NULL OR s > until + " step ") OVER (PARTITION BY worker,"    \
    "   run_id ORDER BY s, e ROWS UNBOUNDED PRECEDING) AS island FROM b)"

extern const struct db_stmt repo_activity_stmts[];
const struct db_stmt repo_activity_stmts[] = {
    {"activity_lanes",
     "WITH a AS (" ONE_BY_ONE(
         "t.worker, j.run_id, greatest(coalesce(t.started_at, t.ended_at), " SINCE ") AS s,"
         " t.ended_at AS e, 1 AS jobs, (t.outcome <> 'ok')::integer AS failed, false AS going",
         "") " UNION ALL SELECT m.worker, m.run_id, greatest(m.began_at, " SINCE "), m.ended_at, m.attempts,"
             "   m.attempts - m.ok, false FROM" BY_MINUTE " UNION ALL SELECT v.name, j.run_id,"
             "   greatest(j.leased_at, " SINCE "), $2::timestamptz, 1, 0, true FROM job j"
             "   JOIN worker_session v ON v.id = j.session_id WHERE j.state = 'leased')," ISLANDS(
                 STEP) ","
                       " x AS (SELECT worker, run_id, min(s) AS s, max(e) AS e, sum(jobs) AS jobs, sum(failed) AS "
                       "failed,"
                       "   bool_or(going) AS going FROM c GROUP BY worker, run_id, island ORDER BY max(e) DESC "
                       "LIMIT $4::bigint)"
                       " SELECT coalesce(json_agg(json_build_object('worker', x.worker, " WHOSE
                       ", 'from', api_time(x.s), 'to',"
                       "   api_time(x.e), 'jobs', x.jobs, 'failed', x.failed, 'going', x.going) ORDER BY x.worker, "
                       "x.s, x.run_id),"
                       "   '[]')::text FROM x" OF_RUN},
    /* The next minutes that are over for so long that nobody writes an attempt of them any more; a few at a time.
     */
    {"activity_roll",
     "WITH mark AS (SELECT CASE WHEN upto = '-infinity' THEN date_trunc('minute', $1::timestamptz - interval '1 "
     "day')"
     "   ELSE upto END AS since FROM activity_rolled FOR UPDATE),"
     " turn AS MATERIALIZED (SELECT since, least(since + interval '1 minute', date_trunc('minute', "
     "$1::timestamptz -"
     "   make_interval(secs => $2::float8))) AS upto FROM mark),"
     " a AS (SELECT t.worker, j.run_id, coalesce(t.started_at, t.ended_at) AS s, t.ended_at AS e, t.outcome, "
     "t.number,"
     "   t.host_seconds, q.cycles, date_trunc('minute', t.ended_at) AS minute FROM " ATTEMPTS_OF_ALL " t" ITS_JOB
     " LEFT JOIN result q ON q.id = j.result_id"
     "   WHERE t.ended_at >= (SELECT since FROM turn) AND t.ended_at < (SELECT upto FROM turn))," ISLANDS(
         ROLLED_GAP) ","
                     " put AS (INSERT INTO activity_minute SELECT minute, run_id, worker, island, min(s), max(e), "
                     "count(*),"
                     "   count(*) FILTER (WHERE outcome = 'ok'), count(*) FILTER (WHERE outcome IN ('lost', "
                     "'overdue')),"
                     "   count(*) FILTER (WHERE number > 1), coalesce(sum(cycles) FILTER (WHERE outcome = 'ok'), "
                     "0),"
                     "   max(host_seconds) FILTER (WHERE outcome = 'ok') FROM c GROUP BY minute, run_id, worker, "
                     "island),"
                     " moved AS (UPDATE activity_rolled SET upto = turn.upto FROM turn WHERE turn.upto > "
                     "turn.since RETURNING 1)"
                     " SELECT count(*) FROM moved, turn WHERE turn.upto = turn.since + interval '1 minute'"},
    {"activity_expire", "DELETE FROM activity_minute WHERE minute < $1::timestamptz - interval '25 hours'"},
    {"activity_lock", "SELECT upto FROM activity_rolled FOR SHARE"},
    /* Before the outcome of a job's lost attempts is changed. */
    {"activity_unlose",
     "UPDATE activity_minute m SET lost = m.lost - x.n FROM (SELECT m.minute, m.run_id, m.worker, m.island, "
     "count(*)"
     "   AS n FROM attempt t JOIN job j ON j.id = t.job_id JOIN activity_minute m ON m.minute ="
     "   date_trunc('minute', t.ended_at) AND m.run_id = j.run_id AND m.worker = t.worker AND t.ended_at BETWEEN"
     "   m.began_at AND m.ended_at WHERE t.job_id = $1::uuid AND t.outcome = 'lost' GROUP BY 1, 2, 3, 4) x"
     " WHERE (m.minute, m.run_id, m.worker, m.island) = (x.minute, x.run_id, x.worker, x.island)"},
    {"activity_queue",
     "WITH x AS (SELECT * FROM (SELECT run_id, " JOBS_BY_STATE " FROM job_tally t GROUP BY run_id) s"
     "  WHERE leased + ready + blocked > 0)"
     " SELECT coalesce(json_agg(json_build_object(" WHOSE ", 'state', r.state, 'priority', r.priority, 'leased',"
     "   x.leased, 'ready', x.ready, 'blocked', x.blocked, 'share_of_busy', x.leased / nullif((SELECT sum(leased)"
     "   FROM x), 0)::float8, 'created_at', api_time(r.created_at)) ORDER BY x.leased DESC, r.id), '[]')::text"
     "  FROM (SELECT * FROM x ORDER BY leased DESC, run_id LIMIT $2::bigint) x" OF_RUN},
    /* The slowest of all are among those of the minutes whose slowest are the slowest. */
    {"activity_slowest",
     "WITH m AS MATERIALIZED (SELECT m.minute, m.run_id, m.worker, m.began_at, m.ended_at FROM" BY_MINUTE
     "   AND m.slowest IS NOT NULL AND " OWN_RUN(
         "m.run_id") "   ORDER BY m.slowest DESC FETCH FIRST 10 ROWS WITH TIES),"
                     " a AS (" ONE_BY_ONE(
                         SLOW_COLUMNS,
                         SLOW_ONES " AND " OWN_RUN(
                             "j.run_id")) "  UNION ALL SELECT " SLOW_COLUMNS " FROM m JOIN " ATTEMPTS_OF_ALL
                                          " t ON t.ended_at >= m.began_at AND t.ended_at"
                                          "    <= m.ended_at AND t.ended_at >= m.minute AND t.worker = m.worker "
                                          "JOIN " JOBS_OF_ALL
                                          "    j ON j.id = t.job_id AND j.run_id = m.run_id WHERE " SLOW_ONES_ALONE
                                          ")"
                                          "SELECT coalesce(json_agg(json_build_object(" WHOSE
                                          ", 'job', x.job_id, 'worker', x.worker, 'host_seconds',"
                                          "   x.host_seconds, 'invocation', s.invocation, 'kernel', k.kernel_name, "
                                          "'design', d.name, 'cycles', t.cycles)"
                                          "   ORDER BY x.host_seconds DESC, x.job_id), '[]')::text"
                                          "  FROM (SELECT * FROM a ORDER BY host_seconds DESC, job_id LIMIT 10) "
                                          "x" OF_RUN "  JOIN sample s ON s.plan_id = p.id AND s.number = x.sample"
                                          "  JOIN stratum k ON k.plan_id = p.id AND k.number = s.stratum"
                                          "  JOIN run_design d ON d.run_id = r.id AND d.number = x.design LEFT "
                                          "JOIN result t ON t.id = x.result_id"},
    {"activity_facts",
     "WITH a AS (SELECT (t.outcome = 'ok')::integer AS ok, 1 AS attempts, (t.outcome IN ('lost', "
     "'overdue'))::integer"
     "   AS lost, (t.number > 1)::integer AS retries, CASE WHEN t.outcome = 'ok' THEN q.cycles END::float8 AS "
     "cycles"
     "   FROM (" ONE_BY_ONE("t.outcome, t.number, j.result_id",
                            "") ") t LEFT JOIN result q ON q.id = t.result_id"
                                "  UNION ALL SELECT m.ok, m.attempts, m.lost, m.retries, m.cycles FROM" BY_MINUTE
                                "   AND EXISTS (SELECT FROM run r WHERE r.id = m.run_id))"
                                "SELECT json_build_object('done', x.done, 'failed', x.failed, 'lost_leases', "
                                "x.lost, 'trouble', x.failed +"
                                "   x.lost, 'retries', x.retries,"
                                "   'simulated_cycles_per_s', x.cycles / $3::float8, 'stored_bytes', (SELECT "
                                "coalesce(sum(stored_bytes),"
                                "   0)::bigint FROM team_storage), 'team_stored_bytes', (SELECT stored_bytes FROM "
                                "team_storage WHERE team_id ="
                                "   $1::bigint))::text FROM (SELECT coalesce(sum(ok), 0) AS done, "
                                "coalesce(sum(attempts - ok - lost), 0) AS"
                                "   failed, coalesce(sum(lost), 0) AS lost, coalesce(sum(retries), 0) AS retries, "
                                "coalesce(sum(cycles), 0) AS"
                                "   cycles FROM a) x"},
    {"activity_worker",
     "SELECT json_build_object(" WHOSE ", 'job', CASE WHEN f.team_id = $1::bigint THEN x.job_id END, 'number',"
     "   x.number, 'started_at', api_time(x.started_at), 'ended_at', api_time(x.ended_at), 'outcome', x.outcome,"
     "   'message', CASE WHEN f.team_id = $1::bigint THEN x.message END, 'host_seconds', x.host_seconds,"
     "   'peak_bytes', x.peak_bytes)::text FROM (SELECT t.*, j.run_id FROM " ENDED
     "    AND t.session_id = $4::uuid ORDER BY t.ended_at DESC, t.job_id LIMIT 100) x" OF_RUN
     " ORDER BY x.ended_at DESC, x.job_id"},
    {NULL, NULL},
};

#define QUEUE_MAX 200 /* runs */

/* Takes the parameters as db_query() does. */
static int member(struct db *db, const char *name, const char *stmt, struct db_params *p, struct strbuf *out,
                  struct err *e)
{
    struct db_rows q;

    if (db_query(db, stmt, p, &q, e) < 0)
        return -1;
    strbuf_addf(out, ",\"%s\":%s", name, q.count > 0 ? db_get(&q, 0, 0) : "null");
    db_rows_release(&q);
    return out->failed ? err_no_memory(e) : 0;
}

static void window(struct db_params *p, int64_t team, wall_us now, int64_t seconds)
{
    db_i64(p, team);
    db_time(p, now);
    db_i64(p, seconds);
}

static int add_queue(struct db *db, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, QUEUE_MAX);
    return member(db, "queue", "activity_queue", &p, out, e);
}

int repo_activity_json(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out, struct err *e)
{
    struct db_params lanes = DB_PARAMS_INIT, whole = DB_PARAMS_INIT;
    char from[CLOCK_RFC3339], to[CLOCK_RFC3339];

    window(&lanes, team, now, seconds);
    db_i64(&lanes, ACTIVITY_LANES);
    window(&whole, team, now, seconds);
    clock_format(now - seconds * 1000000, from);
    clock_format(now, to);
    strbuf_addf(out, "{\"from\":\"%s\",\"to\":\"%s\"", from, to);
    if (member(db, "lanes", "activity_lanes", &lanes, out, e) < 0 || add_queue(db, team, out, e) < 0 ||
        member(db, "slowest", "activity_slowest", &whole, out, e) < 0 ||
        member(db, "facts", "activity_facts", &whole, out, e) < 0)
        return -1;
    strbuf_addc(out, '}');
    return out->failed ? err_no_memory(e) : 0;
}

int repo_activity_worker(struct db *db, const char *session, int64_t team, wall_us now, int64_t seconds,
                         struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    window(&p, team, now, seconds);
    db_text(&p, session);
    return db_query(db, "activity_worker", &p, out, e);
}

int repo_activity_roll(struct db *db, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int more;

    db_time(&p, now);
    db_i64(&p, ACTIVITY_LATE_S);
    if (db_query(db, "activity_roll", &p, &q, e) < 0)
        return -1;
    more = db_get_i64(&q, 0, 0) > 0;
    db_rows_release(&q);
    return more;
}

int repo_activity_expire(struct db *db, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    return db_query(db, "activity_expire", &p, NULL, e);
}

int repo_activity_unlose(struct db *db, const char *job, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_query(db, "activity_lock", NULL, NULL, e) < 0 ? -1 : db_query(db, "activity_unlose", &p, NULL, e);
}
