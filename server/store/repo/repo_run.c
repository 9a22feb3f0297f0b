#include "server/store/repo/repo_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/store/repo/repo_answer_json.h"
#include "server/store/repo/repo_caches_json.h"
#include "server/store/repo/repo_look_json.h"
#include "server/store/repo/repo_run_sql.h"
#include "server/store/repo/repo_tally.h"
#include "server/store/event/event.h"
#include "wire/json.h"

#define RELATIVE_JSON "'relative_half_width', v.half_width / nullif(v.value, 0)"
#define PROJECTION_JSON                                                                                            \
    "CASE WHEN v.run_id IS NULL THEN json_build_object('value', NULL, 'half_width', NULL, 'unit', NULL,"           \
    "   'value_s', NULL, 'half_width_s', NULL, 'value_cycles', NULL, 'half_width_cycles', NULL, 'df', NULL,"       \
    "   'relative_half_width', NULL, 'level', coalesce(u.confidence, p.confidence), " SHARED_TOTAL                 \
    ", 'done', 0, 'planned', p.samples, 'complete', false, 'warning', NULL, 'empty_caches', 0,"                    \
    " 'projected_inside', 0,"                                                                                      \
    " 'warm_bound', NULL)"                                                                                         \
    " ELSE json_build_object('value', v.value, 'half_width', v.half_width, 'unit', v.unit, 'value_s', v.value_s,"  \
    "   'half_width_s', v.half_width_s, 'value_cycles', CASE WHEN v.unit = 'cycles' THEN v.value END,"             \
    "   'half_width_cycles', CASE WHEN v.unit = 'cycles' THEN v.half_width END, 'df', v.df, 'level', v.level,"     \
    "   " RELATIVE_JSON ", " SHARED_TOTAL ","                                                                      \
    "   'done', v.done, 'planned', v.planned, 'complete', v.complete, 'warning', v.warning,"                       \
    "   'empty_caches', v.empty_caches, 'projected_inside', v.projected_inside, 'warm_bound', v.warm_bound) END"
#define MODEL_ERROR_JSON                                                                                           \
    "CASE WHEN v.measured_s > 0 AND v.value_s IS NOT NULL THEN json_build_object('measured_s', v.measured_s,"      \
    "   'simulated_s', v.value_s, 'relative', (v.value_s - v.measured_s) / v.measured_s) END"
#define COMPARISON_JSON                                                                                            \
    "'difference_s', c.difference_s, 'half_width_s', c.half_width_s, 'ratio', c.ratio,"                            \
    " 'ratio_half_width', c.ratio_half_width, 'df', c.df, 'level', c.level, 'confidence', c.confidence,"           \
    " 'intervals', c.intervals, 'looks', c.looks, 'level_note', c.level_note, 'paired_on', c.paired_on,"           \
    " 'distinguishable', c.distinguishable, 'cache_reversible', c.cache_reversible"
#define DESIGN_FROM                                                                                                \
    " FROM run_design d LEFT JOIN projection v ON v.run_id = d.run_id AND v.design = d.number"                     \
    " LEFT JOIN comparison c ON c.run_id = d.run_id AND c.design = d.number WHERE d.run_id = r.id"
#define BASELINE "(SELECT name FROM run_design WHERE run_id = r.id AND number = 0)"
#define RUN_FROM                                                                                                   \
    " FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"                            \
    " JOIN workload w ON w.id = f.workload_id LEFT JOIN run_rule u ON u.run_id = r.id "
#define RUN_HEAD                                                                                                   \
    "'id', r.id, 'plan', p.id, 'workload', w.id, 'workload_name', w.name, 'engine', r.engine, 'state', r.state,"   \
    "'simulator', r.simulator,"                                                                                    \
    "'created_at', api_time(r.created_at), 'finished_at', api_time(r.finished_at), 'created_by', r.created_by,"    \
    "'priority', r.priority, 'jobs', r.jobs, 'cached', r.cached, "                                                 \
    "'inside_kernels', nullif(r.inside_kernels, 0), 'promise', coalesce(u.error, p.error), "                       \
    "'promised_error', CASE WHEN p.promise_valid THEN p.promised_error END, 'confidence', coalesce(u.confidence, " \
    "p.confidence),"                                                                                               \
    "'seed', p.seed, 'speedup', p.speedup, 'eta_s', r.eta_s, 'eta_error_s', r.eta_error_s"
#define RUN_SHOWN                                                                                                  \
    " WHERE f.team_id = $1::bigint AND ($2::uuid IS NULL OR w.id = $2::uuid)"                                      \
    " AND ($5::text IS NULL OR strpos(lower(w.name), lower($5)) > 0"                                               \
    "   OR EXISTS (SELECT FROM run_design d WHERE d.run_id = r.id AND strpos(lower(d.name), lower($5)) > 0))"
#define RUN_DESIGNS                                                                                                \
    "(SELECT " LIST_TEXT("string_agg(d.name, ', ' ORDER BY d.number)") " FROM run_design d WHERE d.run_id = r.id)"
#define BY_DESIGNS  LIST_BY("designs", RUN_DESIGNS)
#define BY_WORKLOAD LIST_BY("workload", LIST_TEXT("w.name"))
#define BY_STATE    LIST_BY("state", "r.state::text")
#define BY_DONE     LIST_BY("done", LIST_NUMBER("r.done::float8 / greatest(1, r.jobs)"))
#define BY_CREATED  LIST_BY("created", "api_time(r.created_at)")
#define RUN_KEY     LIST_KEY_SQL("CASE $6::text" BY_DESIGNS BY_WORKLOAD BY_STATE BY_DONE BY_CREATED " END", "$7")
#define RUN_PAGE    LIST_PAGE("'{}'::uuid[]", "$7", "$8", "$3", "$4")
/* Everything up to here is in this very snapshot; later events have larger ids. */
#define AS_OF "pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096 - 1"
#define MAKESPAN_INTERVAL_WHY_NOT                                                                                  \
    "CASE WHEN v.makespan_s IS NOT NULL AND v.makespan_half_width_s IS NULL"                                       \
    " THEN coalesce(v.makespan_interval_why_not, 'it was not worked out') END"
#define DESIGNS_JSON                                                                                               \
    "(SELECT json_agg(json_build_object('design', d.name, 'design_sha256', d.design_sha256, 'clock_hz', "          \
    "d.clock_hz,"                                                                                                  \
    "   'projection', " PROJECTION_JSON ", 'model_error', " MODEL_ERROR_JSON ", 'cache_state', " CACHE_STATE_JSON  \
    ", 'makespan_s', v.makespan_s,"                                                                                \
    "   'makespan_half_width_s', v.makespan_half_width_s, "                                                        \
    "   'communication', v.communication, 'makespan_interval_why_not', " MAKESPAN_INTERVAL_WHY_NOT ","             \
    "   'baseline', CASE WHEN c.run_id IS NOT NULL THEN json_build_object('design', " BASELINE                     \
    ", " COMPARISON_JSON ") END)"                                                                                  \
    "   ORDER BY d.number)" DESIGN_FROM ")"
/* NULL: some worker can take its jobs, or none is ready. */
#define STRANDED_JSON                                                                                              \
    "(SELECT json_build_object('jobs', (SELECT coalesce(sum(ready), 0) FROM job_tally WHERE run_id = r.id),"       \
    "   'workers', (SELECT count(*) FROM worker_session WHERE state = 'alive'), 'simulators',"                     \
    "   (SELECT coalesce(json_agg(DISTINCT w.simulator), '[]') FROM worker_session w WHERE w.state = 'alive'"      \
    "       AND 'cycle' = ANY (w.engines))) FROM run_stranded s WHERE s.id = r.id)"

extern const struct db_stmt repo_run_stmts[];
const struct db_stmt repo_run_stmts[] = {
    {"run_put",
     "INSERT INTO run (id, plan_id, engine, simulator, jobs, created_by, created_at, priority, inside_kernels)"
     " VALUES ($1::uuid, $2::uuid, $3::engine, $4, $8::integer, $5, $6::timestamptz, $7::smallint, $9::float8)"},
    {"run_put_design", "INSERT INTO run_design (run_id, number, design_sha256, name, clock_hz)"
                       " VALUES ($1::uuid, $2::smallint, nullif($3, ''), $4, $5::float8)"},
    {"run_set_jobs",
     "UPDATE run SET jobs = unmade + (SELECT count(*) FROM job WHERE run_id = $1::uuid) WHERE id = $1::uuid"},
    {"run_find", "SELECT r.id, r.plan_id, p.profile_id, r.state, r.engine, r.version, r.jobs, r.done, r.half_said, "
                 "r.promise_said,"
                 "       r.strata_said, r.created_at, coalesce(u.error, p.error),"
                 "       coalesce(u.confidence, p.confidence), p.promised_error IS NOT NULL, u.run_id IS NOT NULL,"
                 "       r.dropped_at IS NOT NULL, r.inside_kernels" RUN_FROM
                 " WHERE r.id = $1::uuid AND ($2::bigint < 0 OR f.team_id = $2::bigint)"},
    {"run_move", "UPDATE run SET state = $3::run_state, version = version + 1,"
                 "       finished_at = CASE WHEN $3::run_state = 'cancelled' THEN $4::timestamptz END,"
                 "       cancel_from = CASE WHEN $3::run_state = 'cancelled' THEN 0 END,"
                 "       jobs = CASE WHEN $3::run_state = 'cancelled' THEN jobs - unmade ELSE jobs END,"
                 "       unmade = CASE WHEN $3::run_state = 'cancelled' THEN 0 ELSE unmade END"
                 " WHERE id = $1::uuid AND state::text = ANY(string_to_array($2, ','))"},
    /* Locked without naming its state, which another may be changing. */
    {"run_take_up",
     "WITH r AS (SELECT id, state IN ('done', 'failed') AS goes_on, state IN ('done', 'failed') AS anew"
     "             FROM run WHERE id = $1::uuid FOR NO KEY UPDATE)," RUN_CACHES_ANEW
     " UPDATE run SET version = version + 1, " RUN_GOES_ON " FROM r WHERE run.id = r.id"},
    {"run_designs", "SELECT count(*) FROM run_design WHERE run_id = $1::uuid"},
    {"run_still",
     "SELECT 1 FROM run WHERE id = $1::uuid AND version = $2::bigint AND state = 'running' FOR UPDATE"},
    /* its projection, which is of its version until now, is of the next one, too: no job has changed */
    {"run_end", "UPDATE run SET state = $3::run_state, finished_at = $4::timestamptz, version = version + 1,"
                "       projected_version = version + 1"
                " WHERE id = $1::uuid AND version = $2::bigint AND state IN ('running', 'paused')"},
    {"run_touch", "UPDATE run SET version = version + 1"
                  " WHERE id IN (SELECT id FROM run WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)"},
    {"run_open_of_profile",
     "SELECT r.id FROM run r JOIN plan p ON p.id = r.plan_id"
     " WHERE p.profile_id = $1::uuid AND r.engine = 'cycle' AND r.state IN ('running', 'paused') ORDER BY r.id"},
    {"run_behind", "SELECT id FROM run WHERE projected_version < version AND id > $1::uuid ORDER BY id LIMIT 100"},
    {"run_open",
     "SELECT r.id, r.version, coalesce(l.n, 0) FROM run r LEFT JOIN (SELECT run_id, count(*) AS n FROM job"
     " WHERE state = 'leased' GROUP BY run_id) l ON l.run_id = r.id"
     " WHERE r.state IN ('running', 'paused') ORDER BY r.id"},
    {"run_progress",
     "INSERT INTO event (at, topic, kind, params) SELECT $2::timestamptz, 'run:' || r.id, 'run.progress',"
     "   json_build_object('run', r.id, 'state', r.state, 'done', c.n->'done', 'leased', c.n->'leased', 'failed',"
     "     c.n->'failed', 'ready', c.n->'ready', 'blocked', c.n->'blocked', 'cancelled', c.n->'cancelled',"
     "     'jobs', r.jobs, 'projections',"
     "     (SELECT json_agg(json_build_object('design', d.name, 'value', v.value, 'half_width', v.half_width,"
     "        'unit', v.unit, 'value_s', v.value_s, 'half_width_s', v.half_width_s, 'level', v.level,"
     "        " RELATIVE_JSON ", 'done', coalesce(v.done, 0))"
     "        ORDER BY d.number)" DESIGN_FROM "), 'eta_s', r.eta_s, 'eta_error_s', r.eta_error_s)"
     "  FROM run r, LATERAL (SELECT " RUN_COUNTS_JSON " AS n OFFSET 0) c WHERE r.id = $1::uuid"},
    {"run_json", "SELECT json_build_object(" RUN_HEAD ", 'counts', " RUN_COUNTS_JSON ", 'rule', " RULE_JSON
                 ", 'not_simulated', " PASSED_OVER_JSON ", 'stranded', " STRANDED_JSON
                 ", 'cache_check', " CACHE_CHECK_JSON ", 'answer', " ANSWER_JSON ", 'designs', " DESIGNS_JSON
                 ", 'as_of', (" AS_OF ")::text)::text, " LOOKS_JSON RUN_FROM " WHERE r.id = $1::uuid"},
    {"run_projection_json",
     "SELECT json_build_object('id', r.id, 'state', r.state, 'rule', " RULE_JSON
     ", 'not_simulated', " PASSED_OVER_JSON ", 'not_simulated_launches', " PASSED_OVER_LIST_JSON
     ", 'cache_check', " CACHE_CHECK_JSON ", 'answer', " ANSWER_JSON
     ", 'designs', (SELECT json_agg(json_build_object("
     "   'design', d.name, 'parts', json_build_object('sampling_error', " PROJECTION_JSON ","
     "      'model_error', " MODEL_ERROR_JSON
     ", 'model_error_why_not', CASE WHEN v.measured_s IS NOT NULL THEN NULL"
     "         WHEN f.unit <> 'ns' THEN 'the profile has no durations'"
     "         WHEN f.gpu_name = '' THEN 'the profile does not say on which GPU it was measured'"
     "         WHEN r.engine = 'replay' THEN 'a replay simulates nothing'"
     "         ELSE 'the profile was measured on ' || f.gpu_name || ', which is not this design' END,"
     "      'cache_state', " CACHE_STATE_JSON
     ", 'sum_s', v.value_s, 'makespan_s', v.makespan_s, 'makespan_half_width_s',"
     "         v.makespan_half_width_s, 'makespan_interval_why_not', " MAKESPAN_INTERVAL_WHY_NOT ","
     "         'makespan_why_not', CASE WHEN v.makespan_s IS NOT NULL"
     "         THEN NULL WHEN f.unit <> 'ns' THEN 'the profile has no durations'"
     "         WHEN f.makespan_ns IS NULL OR f.makespan_ns = 0 THEN 'the profile has no start times'"
     "         WHEN r.state IN ('running', 'paused') THEN 'it is worked out when the run has ended'"
     "         ELSE 'a stratum has no result, so there is no projection' END, 'measured_makespan_s',"
     "         CASE WHEN f.makespan_ns > 0 THEN (f.makespan_ns / 1e9)::float8 END),"
     "   'variance_method', v.variance_method, 'strata', coalesce(v.strata, '[]'::json),"
     "   'cross_checks', coalesce(v.cross_checks, '[]'::json))"
     "   ORDER BY d.number)" DESIGN_FROM "), 'comparison', (SELECT coalesce(json_agg(json_build_object("
     "   'design', d.name, 'baseline', " BASELINE ", " COMPARISON_JSON
     ") ORDER BY d.number), '[]') FROM run_design d"
     "   JOIN comparison c ON c.run_id = d.run_id AND c.design = d.number WHERE d.run_id = "
     "r.id))::text, " LOOKS_JSON RUN_FROM " WHERE r.id = $1::uuid"},
    {"run_convergence_json",
     /* what was asked for is no promise of a plan that makes none */
     "SELECT json_build_object('design', d.name, 'promise', CASE WHEN u.run_id IS NOT NULL OR p.promised_error"
     "   IS NOT NULL THEN coalesce(u.error, p.error) END, 'confidence', coalesce(u.confidence, p.confidence),"
     "   'planned', p.samples, 'points', (SELECT coalesce(json_agg(json_build_object('done', x.done,"
     "   'value_s', x.value_s, 'half_width_s', x.half_width_s, 'value', x.value, 'half_width', x.half_width,"
     "   'relative_half_width', x.half_width / nullif(x.value, 0), 'at', api_time(x.at))"
     "   ORDER BY x.done), '[]') FROM projection_point x WHERE x.run_id = r.id AND x.design = "
     "d.number))::text" RUN_FROM " JOIN run_design d ON d.run_id = r.id"
     " WHERE r.id = $1::uuid AND (d.name = $2 OR ($2::text IS NULL AND d.number = 0))"},
    {"run_strata",
     "SELECT json_build_object('stratum', s.number, 'kernel', s.kernel_name, 'grid', s.grid, 'block', s.block,"
     "   'population', s.population, 'planned', CASE WHEN p.with_replacement THEN (SELECT count(*) FROM sample a"
     "   WHERE a.plan_id = p.id AND a.stratum = s.number) ELSE s.samples END, 'done', "
     "coalesce((x.h->>'done')::bigint, 0), 'certainty', s.certainty,"
     "   'mean_s', (x.h->>'mean')::float8 * v.seconds_per_unit, 'mean', (x.h->>'mean')::float8, 'unit', v.unit,"
     "   'half_width_s', (x.h->>'half_width')::float8 * v.seconds_per_unit, 'mean_profile', s.mean,"
     "   'profile_unit', f.unit, 'spread_simulated', CASE WHEN (x.h->>'mean')::float8 > 0"
     "      THEN (x.h->>'sd')::float8 / (x.h->>'mean')::float8 END,"
     "   'spread_profile', CASE WHEN s.mean > 0 THEN s.sd / s.mean END,"
     "   'relative_half_width', (x.h->>'half_width')::float8 / nullif((x.h->>'mean')::float8, 0),"
     "   'total_s', (x.h->>'total')::float8 * v.seconds_per_unit,"
     "   'total_half_width_s', (x.h->>'half_width')::float8 * s.population * v.seconds_per_unit,"
     "   'share_of_time', coalesce((x.h->>'total')::float8 / nullif(v.value, 0), (s.total / nullif(p.total, "
     "0))::float8),"
     "   'share_of_doubt', (x.h->>'variance_share')::float8)::text, s.number" RUN_FROM
     " JOIN run_design d ON d.run_id = r.id AND (d.name = $2 OR ($2::text IS NULL AND d.number = 0))"
     " JOIN stratum s ON s.plan_id = p.id LEFT JOIN projection v ON v.run_id = r.id AND v.design = d.number"
     " LEFT JOIN LATERAL (SELECT v.strata->s.number AS h) x ON true"
     " WHERE r.id = $1::uuid AND s.number > $3::integer ORDER BY s.number LIMIT $4::bigint"},
    {"run_list", "SELECT json_build_object(" RUN_HEAD ", 'done', r.done, 'designs', " DESIGNS_JSON
                 ")::text, r.id" RUN_FROM RUN_SHOWN
                 " AND ($3::text = '' OR r.id < nullif($3::text, '')::uuid) ORDER BY r.id DESC LIMIT $4::bigint"},
    {"run_sorted", "WITH k AS (SELECT r.id, " RUN_KEY " AS key" RUN_FROM RUN_SHOWN ")," RUN_PAGE
                   " SELECT json_build_object(" RUN_HEAD ", 'done', r.done, 'designs', " DESIGNS_JSON
                   ")::text, r.id, page.key" RUN_FROM " JOIN page ON page.id = r.id ORDER BY page.place"},
    {"run_events",
     "SELECT json_build_object('id', id::text, 'at', api_time(at), 'kind', kind, 'params', params, 'severity',"
     "   severity)::text, id FROM event WHERE topic = 'run:' || $1::uuid AND severity IS NOT NULL"
     "   AND ($2::bigint IS NULL OR id < $2::bigint) ORDER BY id DESC LIMIT $3::bigint"},
    {"run_latest_plan",
     "SELECT json_build_object('id', p.id, 'method', p.method, 'speedup', p.speedup, 'promised_error',"
     "   p.promised_error)::text FROM plan p JOIN profile f ON f.id = p.profile_id WHERE f.workload_id = $1::uuid"
     "    AND p.parent_id IS NULL ORDER BY p.id DESC LIMIT 1"},
    {"run_latest_run",
     "SELECT json_build_object('id', r.id, 'state', r.state, 'done', r.done, 'jobs', r.jobs,"
     "   'created_by', r.created_by, 'created_at', api_time(r.created_at), 'projections',"
     "   (SELECT json_agg(json_build_object('design', d.name, 'value_s', v.value_s, 'half_width_s', v.half_width_s,"
     "     'value_cycles', CASE WHEN v.unit = 'cycles' THEN v.value END,"
     "     'half_width_cycles', CASE WHEN v.unit = 'cycles' THEN v.half_width END, 'level', coalesce(v.level,"
     "     u.confidence, p.confidence), " SHARED_TOTAL ")"
     "     ORDER BY d.number)" DESIGN_FROM "))::text" RUN_FROM " WHERE w.id = $1::uuid ORDER BY r.id DESC LIMIT 1"},
    {"run_workload_plans",
     "SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]')::text FROM (SELECT p.id, p.method, p.error, "
     "p.confidence,"
     "   p.seed, p.samples, p.strata, p.speedup, p.promised_error, api_time(p.created_at) AS created_at FROM plan p"
     "   JOIN profile f ON f.id = p.profile_id WHERE f.workload_id = $1::uuid AND p.parent_id IS NULL"
     "  ORDER BY p.id DESC LIMIT 1000) x"},
    {"run_workload_runs",
     "SELECT coalesce(json_agg(x ORDER BY x.id DESC), '[]')::text FROM (SELECT r.id, p.id AS plan, r.state,"
     "   (SELECT json_agg(d.name ORDER BY d.number) FROM run_design d WHERE d.run_id = r.id) AS designs, r.done, "
     "r.jobs,"
     "   api_time(r.created_at) AS created_at" RUN_FROM " WHERE w.id = $1::uuid ORDER BY r.id DESC LIMIT 1000) x"},
    {"run_workers",
     "SELECT json_build_object('id', w.id, 'name', w.name, 'host', w.host, 'version', w.version, 'simulator',"
     "   w.simulator, 'sandbox', w.sandbox, 'slots', w.slots, 'busy', coalesce(l.n, 0), 'state', w.state,"
     "   'started_at', api_time(w.started_at), 'seen_at', api_time(w.seen_at))::text, w.id"
     "  FROM worker_session w LEFT JOIN (SELECT session_id, count(*) AS n FROM job WHERE state = 'leased'"
     "   GROUP BY session_id) l ON l.session_id = w.id"
     " WHERE (w.state = 'alive' OR w.seen_at > $1::timestamptz)"
     "   AND ($2 = '' OR (w.state, w.name, w.id) > (SELECT a.state, a.name, a.id FROM worker_session a"
     "                                               WHERE a.id = nullif($2, '')::uuid))"
     " ORDER BY w.state, w.name, w.id LIMIT $3::bigint + 1"},
    {NULL, NULL},
};

int repo_run_put(struct db *db, const struct new_run *r, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, r->id);
    db_text(&p, r->plan);
    db_text(&p, job_engine_name(r->engine));
    db_text(&p, r->simulator);
    db_text(&p, r->by);
    db_time(&p, now);
    db_i64(&p, r->priority);
    db_i64(&p, r->jobs);
    db_double(&p, r->inside_kernels);
    return db_query(db, "run_put", &p, NULL, e);
}

int repo_run_put_design(struct db *db, const char *run, int number, const char *sha256, const char *name,
                        double clock_hz, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, number);
    db_text(&p, sha256);
    db_text(&p, name);
    db_double(&p, clock_hz);
    return db_query(db, "run_put_design", &p, NULL, e);
}

int repo_run_set_jobs(struct db *db, const char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, "run_set_jobs", &p, NULL, e);
}

static void read_run(const struct db_rows *q, struct run_row *r)
{
    snprintf(r->id, sizeof r->id, "%s", db_get(q, 0, 0));
    snprintf(r->plan, sizeof r->plan, "%s", db_get(q, 0, 1));
    snprintf(r->profile, sizeof r->profile, "%s", db_get(q, 0, 2));
    snprintf(r->state, sizeof r->state, "%s", db_get(q, 0, 3));
    r->engine = strcmp(db_get(q, 0, 4), "replay") == 0 ? ENGINE_REPLAY : ENGINE_CYCLE;
    r->version = db_get_i64(q, 0, 5);
    r->jobs = db_get_i64(q, 0, 6);
    r->done = db_get_i64(q, 0, 7);
    r->half_said = db_get_bool(q, 0, 8);
    r->promise_said = db_get_bool(q, 0, 9);
    r->strata_said = (int)db_get_i64(q, 0, 10);
    r->created_at = db_get_time(q, 0, 11);
    r->error = db_get_double(q, 0, 12);
    r->confidence = db_get_double(q, 0, 13);
    r->promised = db_get_bool(q, 0, 14);
    r->ruled = db_get_bool(q, 0, 15);
    r->dropped = db_get_bool(q, 0, 16);
    r->inside_kernels = db_get_double(q, 0, 17);
}

int repo_run_find(struct db *db, const char *id, int64_t team, struct run_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *out = (struct run_row){.version = 0};
    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "run_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_run(&q, out);
    db_rows_release(&q);
    return found;
}

int repo_run_move(struct db *db, const char *id, const char *from, const char *to, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int changed;

    db_text(&p, id);
    db_text(&p, from);
    db_text(&p, to);
    db_time(&p, now);
    if (db_query(db, "run_move", &p, &q, e) < 0)
        return -1;
    changed = q.affected > 0;
    db_rows_release(&q);
    return changed;
}

int repo_run_take_up(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, "run_take_up", &p, NULL, e);
}

static int rows_of(struct db *db, const char *stmt, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (id)
        db_text(&p, id);
    return db_query(db, stmt, &p, out, e);
}

int repo_run_designs(struct db *db, const char *id, int64_t *out, struct err *e)
{
    struct db_rows q;

    if (rows_of(db, "run_designs", id, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_run_still(struct db *db, const char *id, int64_t version, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, version);
    return db_any(db, "run_still", &p, e);
}

int repo_run_end(struct db *db, const char *id, int64_t version, const char *state, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, version);
    db_text(&p, state);
    db_time(&p, now);
    return db_any(db, "run_end", &p, e);
}

int repo_run_touch(struct db *db, const char *ids, struct err *e)
{
    return rows_of(db, "run_touch", ids, NULL, e);
}

int repo_run_open_of_profile(struct db *db, const char *profile, struct db_rows *out, struct err *e)
{
    return rows_of(db, "run_open_of_profile", profile, out, e);
}

int repo_run_behind(struct db *db, const char *after, struct db_rows *out, struct err *e)
{
    return rows_of(db, "run_behind", after, out, e);
}

int repo_run_open(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, "run_open", NULL, out, e);
}

/* `otherwise` (may be NULL) where there is no row. 1 found, 0 none. */
static int text_of(struct db *db, const char *stmt, const char *id, const char *otherwise, struct strbuf *out,
                   struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int found;

    db_text(&p, id);
    found = db_text_of(db, stmt, &p, out, e);
    if (found == 0 && otherwise)
        strbuf_adds(out, otherwise);
    return found == 0 && out->failed ? err_no_memory(e) : found;
}

int repo_run_say_progress(struct db *db, const char *id, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_time(&p, now);
    return db_query(db, "run_progress", &p, NULL, e);
}

/* A look's reason is a kind and its parameters: they become members of the look, and `reason` their text. */
static int show_look(json_t *look, struct err *e)
{
    json_t *reason = json_incref(json_object_get(look, "reason"));
    int ret = json_object_update(look, reason) < 0 ? err_no_memory(e) : event_show(look, "reason", e);

    json_decref(reason);
    return ret;
}

static int add_looks(const char *text, struct strbuf *out, struct err *e)
{
    json_t *looks = json_read_text(text, strlen(text), "looks", e);
    int ret = looks ? 0 : -1;

    for (size_t i = 0; i < json_array_size(looks) && ret == 0; i++)
        ret = show_look(json_array_get(looks, i), e);
    if (ret == 0)
        json_write_text(looks, false, out);
    json_decref(looks);
    return ret;
}

/* The statement's first column, an object, with its second one, looks, as the last member. */
static int with_looks(struct db *db, const char *stmt, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    db_text(&p, id);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        const char *object = db_get(&q, 0, 0);

        strbuf_add(out, object, strlen(object) - 1); /* without its "}" */
        strbuf_adds(out, ", \"looks\" : ");
        ret = add_looks(db_get(&q, 0, 1), out, e) < 0 ? -1 : 1;
        strbuf_addc(out, '}');
    }
    db_rows_release(&q);
    return ret >= 0 && out->failed ? err_no_memory(e) : ret;
}

int repo_run_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_looks(db, "run_json", id, out, e);
}

int repo_run_projection_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_looks(db, "run_projection_json", id, out, e);
}

int repo_run_convergence_json(struct db *db, const char *id, const char *design, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    return db_text_of(db, "run_convergence_json", &p, out, e);
}

int repo_run_strata(struct db *db, const char *id, const char *design, int64_t after, uint64_t limit,
                    struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, "run_strata", &p, out, e);
}

int repo_run_list(struct db *db, int64_t team, const char *workload, const char *like,
                  const struct list_order *order, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, workload);
    db_text(&p, order->id);
    db_u64(&p, order->limit);
    db_text(&p, like);
    if (!order->column[0])
        return db_query(db, "run_list", &p, out, e);
    db_text(&p, order->column);
    db_bool(&p, order->largest_first);
    db_text(&p, order->key);
    return db_query(db, "run_sorted", &p, out, e);
}

int repo_run_events(struct db *db, const char *id, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, "run_events", &p, out, e);
}

int repo_run_latest(struct db *db, const char *workload, struct strbuf *plan, struct strbuf *run, struct err *e)
{
    if (text_of(db, "run_latest_plan", workload, "null", plan, e) < 0)
        return -1;
    return text_of(db, "run_latest_run", workload, "null", run, e) < 0 ? -1 : 0;
}

int repo_run_of_workload(struct db *db, const char *workload, struct strbuf *plans, struct strbuf *runs,
                         struct err *e)
{
    if (text_of(db, "run_workload_plans", workload, "[]", plans, e) < 0)
        return -1;
    return text_of(db, "run_workload_runs", workload, "[]", runs, e) < 0 ? -1 : 0;
}

int repo_run_workers(struct db *db, wall_us since, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, since);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, "run_workers", &p, out, e);
}
