#include "server/db/repo_activity.h"

#include "server/db/repo_archive.h"

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

extern const struct db_stmt repo_activity_stmts[];
const struct db_stmt repo_activity_stmts[] = {
    {"activity_lanes",
     "WITH a AS (SELECT t.worker, j.run_id, greatest(coalesce(t.started_at, t.ended_at), " SINCE ") AS s,"
     "   t.ended_at AS e, t.outcome = 'ok' AS ok FROM " ENDED " UNION ALL SELECT v.name, j.run_id,"
     "   greatest(j.leased_at, " SINCE "), $2::timestamptz, NULL FROM job j"
     "   JOIN worker_session v ON v.id = j.session_id WHERE j.state = 'leased'),"
     " b AS (SELECT *, max(e) OVER (PARTITION BY worker, run_id ORDER BY s, e"
     "   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS until FROM a),"
     " c AS (SELECT *, count(*) FILTER (WHERE until IS NULL OR s > until + " STEP ") OVER (PARTITION BY worker,"
     "   run_id ORDER BY s, e ROWS UNBOUNDED PRECEDING) AS island FROM b),"
     " x AS (SELECT worker, run_id, min(s) AS s, max(e) AS e, count(*) AS jobs, count(*) FILTER (WHERE NOT ok) AS"
     "   failed, bool_or(ok IS NULL) AS going FROM c GROUP BY worker, run_id, island ORDER BY max(e) DESC"
     "   LIMIT $4::bigint)"
     " SELECT coalesce(json_agg(json_build_object('worker', x.worker, " WHOSE ", 'from', api_time(x.s), 'to',"
     "   api_time(x.e), 'jobs', x.jobs, 'failed', x.failed, 'going', x.going) ORDER BY x.worker, x.s, x.run_id),"
     "   '[]')::text FROM x" OF_RUN},
    {"activity_queue",
     "WITH x AS (SELECT run_id, count(*) FILTER (WHERE state = 'leased') AS leased, count(*) FILTER (WHERE state ="
     "   'ready') AS ready, count(*) FILTER (WHERE state = 'blocked') AS blocked FROM job"
     "  WHERE state IN ('leased', 'ready', 'blocked') GROUP BY run_id)"
     " SELECT coalesce(json_agg(json_build_object(" WHOSE ", 'state', r.state, 'priority', r.priority, 'leased',"
     "   x.leased, 'ready', x.ready, 'blocked', x.blocked, 'share_of_busy', x.leased / nullif((SELECT sum(leased)"
     "   FROM x), 0)::float8, 'created_at', api_time(r.created_at)) ORDER BY x.leased DESC, r.id), '[]')::text"
     "  FROM (SELECT * FROM x ORDER BY leased DESC, run_id LIMIT $2::bigint) x" OF_RUN},
    {"activity_slowest",
     "SELECT coalesce(json_agg(json_build_object(" WHOSE ", 'job', x.job_id, 'worker', x.worker, 'host_seconds',"
     "   x.host_seconds, 'invocation', s.invocation, 'kernel', k.kernel_name, 'design', d.name, 'cycles', t.cycles)"
     "   ORDER BY x.host_seconds DESC, x.job_id), '[]')::text"
     "  FROM (SELECT t.job_id, t.worker, t.host_seconds, j.run_id, j.sample, j.design, j.result_id FROM " ENDED
     "    AND t.outcome = 'ok' AND t.host_seconds IS NOT NULL AND EXISTS (SELECT FROM run r JOIN plan p ON p.id ="
     "    r.plan_id JOIN profile f ON f.id = p.profile_id WHERE r.id = j.run_id AND f.team_id = $1::bigint)"
     "    ORDER BY t.host_seconds DESC, t.job_id LIMIT 10) x" OF_RUN
     "  JOIN sample s ON s.plan_id = p.id AND s.number = x.sample"
     "  JOIN stratum k ON k.plan_id = p.id AND k.number = s.stratum"
     "  JOIN run_design d ON d.run_id = r.id AND d.number = x.design LEFT JOIN result t ON t.id = x.result_id"},
    {"activity_facts",
     "SELECT json_build_object('done', x.done, 'failed', x.failed, 'lost_leases', x.lost, 'trouble', x.failed +"
     "   x.lost, 'retries', x.retries,"
     "   'simulated_cycles_per_s', x.cycles / $2::float8, 'stored_bytes', (SELECT coalesce(sum(stored_bytes),"
     "   0)::bigint FROM team_storage), 'team_stored_bytes', (SELECT stored_bytes FROM team_storage WHERE team_id ="
     "   $3::bigint))::text FROM (SELECT count(*) FILTER (WHERE t.outcome = 'ok') AS done,"
     "   count(*) FILTER (WHERE t.outcome NOT IN ('ok', 'lost', 'overdue')) AS failed,"
     "   count(*) FILTER (WHERE t.outcome IN ('lost', 'overdue')) AS lost, count(*) FILTER (WHERE t.number > 1) AS"
     "   retries, coalesce(sum(q.cycles) FILTER (WHERE t.outcome = 'ok'), 0)::float8 AS cycles"
     "   FROM " ATTEMPTS_OF_ALL " t JOIN " JOBS_OF_ALL " j ON j.id = t.job_id LEFT JOIN result q ON q.id ="
     "   j.result_id WHERE t.ended_at > $1::timestamptz - make_interval(secs => $2::float8)) x"},
    {"activity_worker",
     "SELECT json_build_object(" WHOSE ", 'job', CASE WHEN f.team_id = $1::bigint THEN x.job_id END, 'number',"
     "   x.number, 'started_at', api_time(x.started_at), 'ended_at', api_time(x.ended_at), 'outcome', x.outcome,"
     "   'message', CASE WHEN f.team_id = $1::bigint THEN x.message END, 'host_seconds', x.host_seconds,"
     "   'peak_bytes', x.peak_bytes)::text FROM (SELECT t.*, j.run_id FROM " ENDED
     "    AND t.session_id = $4::uuid ORDER BY t.ended_at DESC, t.job_id LIMIT 100) x" OF_RUN
     " ORDER BY x.ended_at DESC, x.job_id"},
    {NULL, NULL},
};

#define QUEUE_MOST 200 /* runs */

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
    db_i64(&p, QUEUE_MOST);
    return member(db, "queue", "activity_queue", &p, out, e);
}

static int add_facts(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    db_i64(&p, seconds);
    db_i64(&p, team);
    return member(db, "facts", "activity_facts", &p, out, e);
}

int repo_activity_json(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out, struct err *e)
{
    struct db_params lanes = DB_PARAMS_INIT, slowest = DB_PARAMS_INIT;
    char from[CLOCK_RFC3339], to[CLOCK_RFC3339];

    window(&lanes, team, now, seconds);
    db_i64(&lanes, ACTIVITY_LANES);
    window(&slowest, team, now, seconds);
    clock_format(now - seconds * 1000000, from);
    clock_format(now, to);
    strbuf_addf(out, "{\"from\":\"%s\",\"to\":\"%s\"", from, to);
    if (member(db, "lanes", "activity_lanes", &lanes, out, e) < 0 || add_queue(db, team, out, e) < 0 ||
        member(db, "slowest", "activity_slowest", &slowest, out, e) < 0 ||
        add_facts(db, team, now, seconds, out, e) < 0)
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
