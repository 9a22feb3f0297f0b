#include "server/store/repo/repo_discard.h"

#include "server/store/repo/repo_again_sql.h"
#include "server/store/repo/repo_archive.h"

#define CHOSEN "t.id = ANY($1::uuid[])"
/* Of a job: done by one of the chosen, or failed because one is quarantined. */
#define USES_CHOSEN                                                                                                \
    "(result_id = ANY($1::uuid[]) OR (id IN (SELECT job_id FROM discarded_use WHERE result_id = ANY($1::uuid[]))"  \
    "   AND state = 'failed' AND failure = 'quarantined'))"
#define TO_DECIDE                                                                                                  \
    "'two workers simulated it, and had different results: a site admin decides (vivace result discard "           \
    "--quarantined)'"

extern const struct db_stmt repo_discard_stmts[];
const struct db_stmt repo_discard_stmts[] = {
    {"discard_choose",
     "SELECT coalesce(array_agg(c.id), '{}')::text, count(*) FROM (SELECT t.id FROM result t"
     "   WHERE (t.quarantined OR (t.discard_id IS NULL AND NOT $7::boolean)) AND ($1::text IS NULL OR t.worker = "
     "$1)"
     "     AND ($2::text IS NULL OR t.simulator = $2)"
     "     AND ($3::text IS NULL OR t.created_at >= $3::timestamptz)"
     "     AND ($4::text IS NULL OR t.created_at < $4::timestamptz)"
     "     AND ($5::text IS NULL OR t.id::text = $5 OR encode(coalesce(t.discarded_key, t.key), 'hex') = $5)"
     "   ORDER BY t.id LIMIT $6::bigint) c"},
    {"discard_cost",
     "WITH t AS (SELECT id, worker, simulator, created_at FROM result t WHERE " CHOSEN "),"
     " j AS (SELECT j.run_id FROM " JOBS_OF_ALL " j WHERE " USES_CHOSEN "),"
     " r AS (SELECT r.id, r.state, f.team_id FROM run r JOIN plan p ON p.id = r.plan_id"
     "         JOIN profile f ON f.id = p.profile_id WHERE r.id IN (SELECT run_id FROM j))"
     " SELECT json_build_object('results', (SELECT count(*) FROM t), 'jobs', (SELECT count(*) FROM j),"
     "   'runs', (SELECT count(*) FROM r), 'runs_over', (SELECT count(*) FROM r WHERE state IN ('done', 'failed')),"
     "   'teams', (SELECT count(DISTINCT team_id) FROM r), 'first_at', (SELECT api_time(min(created_at)) FROM t),"
     "   'last_at', (SELECT api_time(max(created_at)) FROM t), 'frozen_links', (SELECT count(*) FROM share s"
     "       WHERE s.frozen_at IS NOT NULL AND s.object IN (SELECT id FROM r)),"
     "   'workers', (SELECT coalesce(json_agg(json_build_object('worker', worker, 'simulator', simulator,"
     "       'results', n) ORDER BY n DESC, worker, simulator), '[]') FROM (SELECT worker, simulator, count(*) AS n"
     "       FROM t GROUP BY worker, simulator ORDER BY n DESC LIMIT 100) w))::text"},
    {"discard_long_work", "SELECT set_config('statement_timeout', '120s', true)"},
    {"discard_put", "INSERT INTO result_discard (id, at, by_name, why, chosen, results, jobs, runs)"
                    " VALUES ($1::uuid, $2::timestamptz, $3, $4, $5::json, 0, 0, 0)"},
    {"discard_archived", "SELECT DISTINCT run_id FROM job_archive WHERE " USES_CHOSEN " ORDER BY run_id"},
    {"discard_lock", "SELECT count(*) FROM (SELECT FROM job WHERE " USES_CHOSEN " ORDER BY id FOR UPDATE) l"},
    /* None is cancelled or ends from here on. */
    {"discard_hold", "SELECT count(*) FROM (SELECT FROM run WHERE id IN (SELECT run_id FROM job"
                     "   WHERE " USES_CHOSEN ") ORDER BY id FOR NO KEY UPDATE) l"},
    {"discard_use",
     "INSERT INTO discarded_use (result_id, job_id, run_id)"
     " SELECT result_id, id, run_id FROM job WHERE result_id = ANY($1::uuid[]) ON CONFLICT DO NOTHING"},
    {"discard_jobs",
     "WITH again AS (UPDATE job j SET " JOB_LETS_GO ", state = (CASE WHEN r.state = 'cancelled' THEN 'cancelled'"
     "        WHEN $2::boolean THEN 'failed' ELSE 'blocked' END)::job_state,"
     "      failure = CASE WHEN r.state <> 'cancelled' AND $2::boolean THEN 'quarantined' END,"
     "      failure_text = CASE WHEN r.state <> 'cancelled' AND $2::boolean THEN " TO_DECIDE " END,"
     "      finished_at = CASE WHEN r.state = 'cancelled' OR $2::boolean THEN j.finished_at END"
     "     FROM run r WHERE r.id = j.run_id AND j.id IN (SELECT id FROM job WHERE " USES_CHOSEN
     ") RETURNING j.run_id)"
     " SELECT run_id, count(*) FROM again GROUP BY run_id ORDER BY run_id"},
    /* Their launches were given up, and are not any more. */
    {"discard_passed_over",
     "DELETE FROM run_passed_over x USING job j, run r, sample s WHERE j.id IN (SELECT id FROM job "
     "WHERE " USES_CHOSEN
     ") AND r.id = j.run_id AND s.plan_id = r.plan_id AND s.number = j.sample AND x.run_id = r.id"
     "   AND x.invocation = s.invocation AND NOT x.replaced"},
    /* Under its own key another result may come. */
    {"discard_results", "UPDATE result t SET discard_id = $2::uuid, quarantined = $3::boolean,"
                        "   discarded_key = coalesce(t.discarded_key, t.key),"
                        "   key = sha256(convert_to('discarded|' || t.id, 'UTF8')) WHERE " CHOSEN},
    {"discard_rechecks", "WITH t AS (SELECT id FROM task WHERE result_id = ANY($1::uuid[]) AND kind = 'recheck'),"
                         " open AS (UPDATE task SET state = 'failed', session_id = NULL, deadline_at = NULL,"
                         "            finished_at = $2::timestamptz, why = 'the result was discarded'"
                         "           WHERE id IN (SELECT id FROM t) AND state IN ('ready', 'leased'))"
                         " UPDATE recheck SET acted = true WHERE task_id IN (SELECT id FROM t)"},
    {"discard_runs",
     "WITH r AS (SELECT id, state IN ('done', 'failed') AS goes_on, true AS anew FROM run"
     "            WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE)," RESULTS_FORGOTTEN(
         "$1::uuid[]") ", links AS (UPDATE share SET discarded_at = $2::timestamptz WHERE frozen_at IS NOT NULL"
                       "             AND object = ANY($1::uuid[]))"
                       " UPDATE run SET version = version + 1, promise_said = false, cached = (SELECT count(*) "
                       "FROM job j"
                       "       WHERE j.run_id = run.id AND j.cached), " RUN_GOES_ON " FROM r WHERE run.id = r.id"},
    {"discard_count",
     "UPDATE result_discard d SET results = (SELECT count(*) FROM result WHERE discard_id = d.id), jobs = u.jobs,"
     "   runs = u.runs FROM (SELECT count(*) AS jobs, count(DISTINCT run_id) AS runs FROM discarded_use"
     "     WHERE result_id IN (SELECT id FROM result WHERE discard_id = $1::uuid)) u WHERE d.id = $1::uuid"},
    {"discard_list",
     "SELECT json_build_object('id', id, 'at', api_time(at), 'by', by_name, 'why', why, 'chosen', chosen,"
     "   'results', results, 'jobs', jobs, 'runs', runs)::text, id FROM result_discard"
     " WHERE ($1::text IS NULL OR id < $1::uuid) ORDER BY id DESC LIMIT $2::bigint"},
    {NULL, NULL},
};

int repo_discard_choose(struct db *db, const struct discard_choice *c, struct strbuf *ids, int64_t *count,
                        struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, c->worker);
    db_text(&p, c->simulator);
    db_text(&p, c->from);
    db_text(&p, c->to);
    db_text(&p, c->result);
    db_i64(&p, DISCARD_MAX + 1);
    db_bool(&p, c->quarantined);
    if (db_query(db, "discard_choose", &p, &q, e) < 0)
        return -1;
    strbuf_adds(ids, db_get(&q, 0, 0));
    *count = db_get_i64(&q, 0, 1);
    db_rows_release(&q);
    return ids->failed ? err_no_memory(e) : 0;
}

int repo_discard_cost_json(struct db *db, const char *ids, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, ids);
    return db_text_of(db, "discard_cost", &p, out, e) < 0 ? -1 : 0;
}

static int bring_back(struct db *db, const struct db_params *ids, struct err *e)
{
    struct db_rows q;
    int ret = 0;

    if (db_query(db, "discard_archived", ids, &q, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < q.count; i++)
        ret = repo_archive_return(db, db_get(&q, i, 0), e);
    db_rows_release(&q);
    return ret;
}

static int put(struct db *db, const struct discard *d, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    if (db_query(db, "discard_long_work", &none, NULL, e) < 0)
        return -1;
    db_text(&p, d->id);
    db_time(&p, d->at);
    db_text(&p, d->by);
    db_text(&p, d->why);
    db_text(&p, d->chosen);
    return db_query(db, "discard_put", &p, NULL, e);
}

static int go_on(struct db *db, const struct discard *d, const struct db_rows *runs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, id = DB_PARAMS_INIT;
    struct strbuf list = STRBUF_INIT;
    int ret;

    db_array_begin(&list);
    for (int i = 0; i < runs->count; i++)
        db_array_add(&list, db_get(runs, i, 0));
    db_array_end(&list);
    db_text(&p, list.text);
    db_time(&p, d->at);
    db_text(&id, d->id);
    ret = list.failed ? err_no_memory(e) : db_query(db, "discard_runs", &p, NULL, e);
    strbuf_release(&list);
    return ret < 0 ? -1 : db_query(db, "discard_count", &id, NULL, e);
}

int repo_discard(struct db *db, const struct discard *d, const char *ids, struct db_rows *runs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, marked = DB_PARAMS_INIT, rechecks = DB_PARAMS_INIT, jobs = DB_PARAMS_INIT;

    db_text(&p, ids);
    db_text(&marked, ids);
    db_text(&marked, d->id);
    db_bool(&marked, d->quarantine != NULL);
    db_text(&rechecks, ids);
    db_time(&rechecks, d->at);
    db_text(&jobs, ids);
    db_bool(&jobs, d->quarantine != NULL);
    if (put(db, d, e) < 0 || bring_back(db, &p, e) < 0 || db_query(db, "discard_lock", &p, NULL, e) < 0 ||
        db_query(db, "discard_hold", &p, NULL, e) < 0 || db_query(db, "discard_use", &p, NULL, e) < 0 ||
        db_query(db, "discard_passed_over", &p, NULL, e) < 0 ||
        db_query(db, "discard_results", &marked, NULL, e) < 0 ||
        db_query(db, "discard_rechecks", &rechecks, NULL, e) < 0 ||
        db_query(db, "discard_jobs", &jobs, runs, e) < 0)
        return -1;
    if (go_on(db, d, runs, e) == 0)
        return 0;
    db_rows_release(runs);
    return -1;
}

int repo_discard_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "discard_list", &p, out, e);
}
