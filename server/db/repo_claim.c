#include "server/db/repo_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

extern const struct db_stmt repo_claim_stmts[];
const struct db_stmt repo_claim_stmts[] = {
    /* Only the worker of that name may say that its session is over. */
    {"session_replace", "UPDATE worker_session SET state = 'dead', replaced_by = $2::uuid"
                        " WHERE id = $1::uuid AND name = $3 AND state = 'alive'"},
    {"session_open",
     "INSERT INTO worker_session (id, name, host, version, simulator, sandbox, engines, slots, started_at, seen_at,"
     "                            token_id)"
     " VALUES ($1::uuid, $2, $3, $4, $5, $6, $7::engine[], $8::integer, $9::timestamptz, $9::timestamptz,"
     "         nullif($10::bigint, 0))"},
    {"session_no_wait_for_disk", "SELECT set_config('synchronous_commit', 'off', true)"},
    {"session_beat",
     /* locked in order: claims and beats come on two connections, and there may be two servers */
     "WITH s AS (SELECT id FROM worker_session WHERE id = ANY($1::uuid[]) AND state = 'alive'"
     "            ORDER BY id FOR NO KEY UPDATE)"
     " UPDATE worker_session SET seen_at = $2::timestamptz WHERE id IN (SELECT id FROM s)"
     " RETURNING id, simulator, 'cycle' = ANY(engines), 'replay' = ANY(engines), slots"},
    {"session_still_leased", "SELECT id, attempt FROM job WHERE id = ANY($1::uuid[]) AND state::text = 'leased'"},
    {"claim_runs",
     "SELECT r.id, f.team_id, r.engine, r.simulator, r.priority, r.jobs, t.share"
     "  FROM run r JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"
     "  JOIN team t ON t.id = f.team_id WHERE r.state = 'running'"
     "   AND EXISTS (SELECT 1 FROM job j WHERE j.run_id = r.id AND j.state = 'ready' AND j.waits_on IS NULL"
     "                  AND j.ready_at <= $1::timestamptz)"
     " ORDER BY r.id"},
    {"claim_loads",
     "SELECT f.team_id, l.n, l.seconds FROM"
     " (SELECT run_id, count(*) AS n, sum(extract(epoch FROM $1::timestamptz - leased_at))::float8 AS seconds"
     "    FROM job WHERE state = 'leased' GROUP BY run_id) l"
     "  JOIN run r ON r.id = l.run_id JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"},
    {"claim_pick",
     "SELECT j.id, j.seq FROM job j WHERE j.run_id = $1::uuid AND j.state = 'ready' AND j.waits_on IS NULL"
     "   AND j.seq > $2::integer AND j.ready_at <= $3::timestamptz"
     "   AND EXISTS (SELECT 1 FROM run r WHERE r.id = $1::uuid AND r.state = 'running')"
     " ORDER BY j.seq LIMIT $4::bigint FOR UPDATE OF j SKIP LOCKED"},
    {"claim_set",
     "UPDATE job j SET state = 'leased', attempt = j.attempt + 1, session_id = c.session, leased_at = "
     "$3::timestamptz,"
     "       deadline_at = $3::timestamptz + make_interval(secs => ($4::bigint << j.time_class))"
     "  FROM unnest($1::uuid[], $2::uuid[]) AS c(id, session), run r, plan p, profile f, sample s, run_design d"
     " WHERE j.id = c.id AND r.id = j.run_id AND p.id = r.plan_id AND f.id = p.profile_id"
     "   AND s.plan_id = r.plan_id AND s.number = j.sample AND d.run_id = j.run_id AND d.number = j.design"
     " RETURNING j.session_id, j.id, j.attempt, r.engine, s.invocation, j.trace_sha256,"
     "           (SELECT b.bytes FROM blob b WHERE b.sha256 = j.trace_sha256), d.design_sha256, d.name, s.value, "
     "f.unit,"
     "           j.time_class, j.memory_class, j.deadline_at, j.run_id,"
     "           (SELECT t.program_sha256 FROM trace t WHERE t.sha256 = j.trace_sha256),"
     "           (SELECT b.bytes FROM trace t JOIN blob b ON b.sha256 = t.program_sha256"
     "             WHERE t.sha256 = j.trace_sha256)"},
    {"session_bury", "UPDATE worker_session SET state = 'dead' WHERE state = 'alive'"
                     "   AND (seen_at < $1::timestamptz OR seen_at > $2::timestamptz)"},
    {"claim_stale_dead", "SELECT j.id FROM job j JOIN worker_session w ON w.id = j.session_id"
                         " WHERE j.state = 'leased' AND w.state = 'dead' ORDER BY j.id LIMIT 1000"},
    {"claim_stale_overdue",
     "SELECT id FROM job WHERE state = 'leased' AND deadline_at < $1::timestamptz ORDER BY id LIMIT 1000"},
    {"farm_json",
     "SELECT json_build_object('workers_alive', w.alive, 'workers_busy', w.busy, 'slots', w.slots, 'queue',"
     "   json_build_object('blocked', q.blocked, 'ready', q.ready, 'leased', q.leased), 'jobs_done_last_hour',"
     "   (SELECT count(*) FROM attempt WHERE outcome = 'ok' AND ended_at > $1::timestamptz - interval '1 hour'),"
     "   'simulator', $2::text, 'launcher', (SELECT json_build_object('kind', kind, 'wanted', wanted, 'running', "
     "   running, 'waiting', waiting, 'problem', nullif(problem, ''), 'since', api_time(updated_at)) FROM "
     "   launcher))::text"
     "  FROM (SELECT count(*) AS alive, coalesce(sum(slots), 0) AS slots, count(*) FILTER (WHERE EXISTS (SELECT 1 "
     "FROM"
     "          job j WHERE j.session_id = s.id AND j.state = 'leased')) AS busy FROM worker_session s"
     "         WHERE state = 'alive') w,"
     "       (SELECT count(*) FILTER (WHERE state = 'blocked') AS blocked, count(*) FILTER (WHERE state = 'ready') "
     "AS"
     "          ready, count(*) FILTER (WHERE state = 'leased') AS leased FROM job"
     "         WHERE run_id IN (SELECT id FROM run WHERE state IN ('running', 'paused'))) q"},
    {NULL, NULL},
};

int repo_session_open(struct db *db, const char *id, const struct session_request *r, int64_t token, wall_us now,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf engines = STRBUF_INIT;
    int ret;

    db_array_begin(&engines);
    for (int i = 0; i < ENGINE_COUNT; i++) {
        if (r->engines[i])
            db_array_add(&engines, job_engine_name((enum job_engine)i));
    }
    db_array_end(&engines);
    db_text(&p, id);
    db_text(&p, r->name);
    db_text(&p, r->host);
    db_text(&p, r->version);
    db_text(&p, r->simulator);
    db_text(&p, r->sandbox);
    db_text(&p, engines.text);
    db_i64(&p, r->slots);
    db_time(&p, now);
    db_i64(&p, token);
    ret = engines.failed ? err_no_memory(e) : db_query(db, "session_open", &p, NULL, e);
    strbuf_release(&engines);
    return ret;
}

int repo_session_replace(struct db *db, const char *old, const char *id, const char *name, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int replaced;

    db_text(&p, old);
    db_text(&p, id);
    db_text(&p, name);
    if (db_query(db, "session_replace", &p, &q, e) < 0)
        return -1;
    replaced = q.affected > 0;
    db_rows_release(&q);
    return replaced;
}

int repo_session_beat(struct db *db, const char *ids, wall_us now, struct session_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct session_rows){0};
    db_text(&p, ids);
    db_time(&p, now);
    if (db_query(db, "session_beat", &p, &q, e) < 0)
        return -1;
    out->items = mem_zalloc((size_t)q.count + 1, sizeof *out->items, e);
    for (int i = 0; out->items && i < q.count; i++) {
        struct session_row *s = &out->items[out->count++];

        snprintf(s->id, sizeof s->id, "%s", db_get(&q, i, 0));
        snprintf(s->simulator, sizeof s->simulator, "%s", db_get(&q, i, 1));
        s->engines[ENGINE_CYCLE] = db_get_bool(&q, i, 2);
        s->engines[ENGINE_REPLAY] = db_get_bool(&q, i, 3);
        s->slots = (uint32_t)db_get_i64(&q, i, 4);
    }
    db_rows_release(&q);
    return out->items ? 0 : -1;
}

int repo_session_need_not_last(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "session_no_wait_for_disk", &none, NULL, e);
}

void session_rows_release(struct session_rows *r)
{
    free(r->items);
    *r = (struct session_rows){0};
}

int repo_session_still_leased(struct db *db, const char *jobs, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, jobs);
    return db_query(db, "session_still_leased", &p, out, e);
}

static void read_run(const struct db_rows *q, int i, struct claimable_run *r)
{
    snprintf(r->id, sizeof r->id, "%s", db_get(q, i, 0));
    r->team = db_get_i64(q, i, 1);
    r->engine = strcmp(db_get(q, i, 2), "replay") == 0 ? ENGINE_REPLAY : ENGINE_CYCLE;
    snprintf(r->simulator, sizeof r->simulator, "%s", db_get(q, i, 3));
    r->priority = (int)db_get_i64(q, i, 4);
    r->jobs = (int)db_get_i64(q, i, 5);
    r->share = db_get_double(q, i, 6);
}

int repo_claim_runs(struct db *db, wall_us now, struct claimable_runs *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    *out = (struct claimable_runs){0};
    db_time(&p, now);
    if (db_query(db, "claim_runs", &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        out->items = mem_zalloc((size_t)q.count, sizeof *out->items, e);
        ret = out->items ? 0 : -1;
    }
    for (int i = 0; ret == 0 && i < q.count; i++)
        read_run(&q, i, &out->items[out->count++]);
    db_rows_release(&q);
    return ret;
}

int repo_claim_loads(struct db *db, wall_us now, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    return db_query(db, "claim_loads", &p, out, e);
}

void claimable_runs_release(struct claimable_runs *r)
{
    free(r->items);
    *r = (struct claimable_runs){0};
}

int repo_claim_pick(struct db *db, const char *run, int64_t cursor, wall_us now, size_t most, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, cursor);
    db_time(&p, now);
    db_i64(&p, (int64_t)most);
    return db_query(db, "claim_pick", &p, out, e);
}

static int read_lease(const struct db_rows *q, int i, const struct claim_limits *limits, struct claimed *c,
                      struct err *e)
{
    struct lease *l = &c->lease;

    snprintf(c->session, sizeof c->session, "%s", db_get(q, i, 0));
    snprintf(c->run, sizeof c->run, "%s", db_get(q, i, 14));
    snprintf(l->job, sizeof l->job, "%s", db_get(q, i, 1));
    l->attempt = (uint32_t)db_get_i64(q, i, 2);
    if (job_engine_from_name(db_get(q, i, 3), &l->engine) < 0 ||
        profile_unit_from_name(db_get(q, i, 10), &l->replay_unit) < 0)
        return err_set(e, ERR_INTERNAL, "job %s has an unknown engine or unit", l->job);
    l->invocation = (uint64_t)db_get_i64(q, i, 4);
    snprintf(l->trace_sha256, sizeof l->trace_sha256, "%s", db_get(q, i, 5));
    l->trace_bytes = (uint64_t)db_get_i64(q, i, 6);
    snprintf(l->program_sha256, sizeof l->program_sha256, "%s", db_get(q, i, 15));
    l->program_bytes = (uint64_t)db_get_i64(q, i, 16);
    snprintf(l->design_sha256, sizeof l->design_sha256, "%s", db_get(q, i, 7));
    snprintf(l->design_name, sizeof l->design_name, "%s", db_get(q, i, 8));
    l->replay_value = strtoull(db_get(q, i, 9), NULL, 10);
    l->limits.time_s = (uint64_t)limits->time_s << db_get_i64(q, i, 11);
    l->limits.memory_bytes = (uint64_t)limits->memory_bytes << db_get_i64(q, i, 12);
    l->limits.cycles = limits->cycles;
    clock_format(db_get_time(q, i, 13), l->deadline_at);
    return 0;
}

int repo_claim_set(struct db *db, const char *jobs, const char *sessions, const struct claim_limits *limits,
                   wall_us now, struct claimed **out, size_t *count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    struct claimed *items;
    int ret = 0;

    db_text(&p, jobs);
    db_text(&p, sessions);
    db_time(&p, now);
    db_i64(&p, limits->time_s);
    if (db_query(db, "claim_set", &p, &q, e) < 0)
        return -1;
    items = mem_zalloc(q.count > 0 ? (size_t)q.count : 1, sizeof *items, e);
    if (!items)
        ret = -1;
    for (int i = 0; ret == 0 && i < q.count; i++)
        ret = read_lease(&q, i, limits, &items[i], e);
    *count = (size_t)q.count;
    db_rows_release(&q);
    if (ret < 0) {
        free(items);
        return -1;
    }
    *out = items;
    return 0;
}

int repo_session_bury(struct db *db, wall_us not_seen_since, wall_us not_after, int64_t *count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_time(&p, not_seen_since);
    db_time(&p, not_after);
    if (db_query(db, "session_bury", &p, &q, e) < 0)
        return -1;
    *count = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_claim_stale(struct db *db, bool dead, wall_us deadline_before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (dead)
        return db_query(db, "claim_stale_dead", &p, out, e);
    db_time(&p, deadline_before);
    return db_query(db, "claim_stale_overdue", &p, out, e);
}

int repo_farm_json(struct db *db, const char *simulator, wall_us now, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_time(&p, now);
    db_text(&p, simulator);
    if (db_query(db, "farm_json", &p, &q, e) < 0)
        return -1;
    strbuf_adds(out, db_get(&q, 0, 0));
    db_rows_release(&q);
    return out->failed ? err_no_memory(e) : 0;
}
