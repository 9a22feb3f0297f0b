#include "server/store/repo/repo_result.h"

#include <math.h>
#include <stdio.h>

#include "server/store/repo/repo_archive.h"

/* Some run of the team $2 uses result t, which is $1, or did before it was discarded. */
#define OF_TEAM                                                                                                    \
    "t.id = $1::uuid AND EXISTS (SELECT 1 FROM (SELECT run_id FROM " JOBS_OF_ALL " j WHERE j.result_id = $1::uuid" \
    "    UNION ALL SELECT run_id FROM discarded_use WHERE result_id = $1::uuid) j JOIN run r ON r.id = j.run_id"   \
    "   JOIN plan p ON p.id = r.plan_id JOIN profile f ON f.id = p.profile_id"                                     \
    "  WHERE f.team_id = $2::bigint)"

extern const struct db_stmt repo_result_stmts[];
const struct db_stmt repo_result_stmts[] = {
    {"result_put",
     "INSERT INTO result (id, key, engine, trace_sha256, design_sha256, simulator, value, unit, digest, cycles,"
     "                    launch_cycles, warp_instructions, clock_hz, host_seconds, body, created_at,"
     "                    empty_caches, cycles_warm_bound, worker, inside_kernels, projected_error)"
     " SELECT id, decode(key, 'hex'), engine, trace, design, simulator, value, unit, digest, cycles, launch_cycles,"
     "        warp_instructions, clock_hz, host_seconds, body, $17::timestamptz,"
     "        engine = 'cycle' AND coalesce(body::json->>'caches', '') <> 'warm', bound, nullif(worker, ''),"
     "        inside, error"
     "   FROM unnest($1::uuid[], $2::text[], $3::engine[], $4::text[], $5::text[], $6::text[], $7::float8[],"
     "               $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::float8[],"
     "               $14::float8[], $15::text[], $16::bigint[], $18::text[], $19::float8[], $20::float8[])"
     "     AS c(id, key, engine, trace, design, simulator, value, unit, digest, cycles, launch_cycles,"
     "          warp_instructions, clock_hz, host_seconds, body, bound, worker, inside, error)"
     "  ORDER BY key ON CONFLICT (key) DO NOTHING"},
    {"result_find", "SELECT id, encode(key, 'hex'), digest FROM result"
                    " WHERE key = ANY(ARRAY(SELECT decode(x, 'hex') FROM unnest($1::text[]) x)) ORDER BY key"},
    {"result_dispute", "WITH kept AS (INSERT INTO result_dispute (result_id, digest, worker, body, created_at)"
                       "              VALUES ($1::uuid, $2, $3, $4, $5::timestamptz) ON CONFLICT DO NOTHING)"
                       " UPDATE result SET disputed = true WHERE id = $1::uuid AND NOT disputed"},
    {"result_get",
     "SELECT t.id, t.trace_sha256, t.design_sha256, t.simulator, t.body, t.disputed, t.value, t.unit,"
     "       encode(coalesce(t.discarded_key, t.key), 'hex'), t.worker, x.text"
     "  FROM result t LEFT JOIN LATERAL (SELECT json_build_object('at', api_time(d.at), 'by', d.by_name,"
     "    'why', d.why, 'quarantined', t.quarantined)::text AS text FROM result_discard d WHERE d.id = "
     "t.discard_id) x ON true"
     " WHERE " OF_TEAM},
    {"result_brief",
     "SELECT t.engine = 'replay', t.simulator, EXISTS (SELECT 1 FROM blob b WHERE b.sha256 = t.trace_sha256),"
     "       t.discard_id IS NOT NULL, t.projected_error IS NOT NULL"
     "  FROM result t WHERE " OF_TEAM},
    {"result_use_json",
     "SELECT json_build_object('run', r.id, 'job', j.id, 'plan', p.id, 'profile', f.id, 'workload', w.id, "
     "'workload_name',"
     "   w.name, 'invocation', s.invocation, 'stratum', s.stratum, 'gpu_name', f.gpu_name,"
     "   'profiled_ns', CASE WHEN f.unit = 'ns' THEN s.value END)::text"
     "  FROM (SELECT id FROM " JOBS_OF_ALL " j WHERE j.result_id = $1::uuid"
     "         UNION ALL SELECT job_id FROM discarded_use WHERE result_id = $1::uuid) u"
     "  JOIN " JOBS_OF_ALL " j ON j.id = u.id JOIN run r ON r.id = j.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id JOIN workload w ON w.id = f.workload_id"
     "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
     " WHERE f.team_id = $2::bigint ORDER BY r.id DESC, j.id LIMIT 1"},
    /* Of the newest runs, as a log has no end. A result that several samples have counts once. */
    {"result_costs",
     "SELECT value, host_seconds, name FROM (SELECT DISTINCT ON (t.id) t.id, s.value, t.host_seconds, d.name"
     "  FROM (SELECT r.id, r.plan_id FROM run r JOIN plan p ON p.id = r.plan_id"
     "          JOIN profile f ON f.id = p.profile_id"
     "          JOIN profile m ON m.id = $1::uuid AND m.team_id = f.team_id AND m.unit = f.unit"
     "         WHERE r.engine = 'cycle' AND r.simulator = $2 ORDER BY r.id DESC LIMIT 100) r"
     "  JOIN " JOBS_OF_ALL " j ON j.run_id = r.id AND j.state = 'done'"
     "  JOIN result t ON t.id = j.result_id AND t.host_seconds > 0 AND t.host_seconds < 3e8"
     "   AND t.projected_error IS NULL"
     "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
     "  JOIN run_design d ON d.run_id = r.id AND d.number = j.design"
     " ORDER BY t.id DESC, j.id LIMIT 20000) x ORDER BY name, id DESC"},
    /* Of every plan of the profile; equal results of a launch count once. */
    {"result_cycles",
     "SELECT DISTINCT ON (s.invocation) s.invocation, t.cycles::float8, t.launch_cycles::float8"
     "  FROM plan p JOIN run r ON r.plan_id = p.id AND r.engine = 'cycle' AND r.simulator = $3"
     "  JOIN run_design d ON d.run_id = r.id AND d.design_sha256 = $2"
     "  JOIN " JOBS_OF_ALL " j ON j.run_id = r.id AND j.design = d.number AND j.state = 'done'"
     "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
     "  JOIN result t ON t.id = j.result_id AND t.cycles > 0 AND t.launch_cycles IS NOT NULL AND NOT t.disputed"
     "   AND t.projected_error IS NULL"
     " WHERE p.profile_id = $1::uuid ORDER BY s.invocation, t.id"},
    {NULL, NULL},
};

#define COLUMNS     19
#define BEFORE_TIME 16 /* columns before the time */
static void add_row(struct strbuf *c, const struct result_row *row)
{
    const struct result *r = row->result;

    db_array_add(&c[0], row->id);
    db_array_add(&c[1], row->key);
    db_array_add(&c[2], r->replay ? "replay" : "cycle");
    db_array_add(&c[3], r->replay ? NULL : r->trace_sha256);
    db_array_add(&c[4], r->replay ? NULL : r->design_sha256);
    db_array_add(&c[5], r->simulator);
    db_array_add_double(&c[6], (double)(r->replay ? r->value : r->cycles));
    db_array_add(&c[7], r->replay ? profile_unit_name(r->unit) : "cycles");
    db_array_add(&c[8], r->digest);
    for (int i = 9; i <= 11; i++) {
        uint64_t counts[] = {r->cycles, r->launch_cycles, r->warp_instructions};

        if (r->replay)
            db_array_add(&c[i], NULL);
        else
            db_array_add_i64(&c[i], (int64_t)counts[i - 9]);
    }
    db_array_add_double(&c[12], r->replay ? NAN : r->clock_hz);
    db_array_add_double(&c[13], r->host_seconds);
    db_array_add(&c[14], row->body);
    if (r->cycles_warm_bound)
        db_array_add_i64(&c[15], (int64_t)r->cycles_warm_bound);
    else
        db_array_add(&c[15], NULL);
    db_array_add(&c[16], row->worker);
    db_array_add_double(&c[17], row->inside_kernels);
    db_array_add_double(&c[18], r->projected ? r->projected_error : NAN);
}

int repo_result_put(struct db *db, const struct result_row *rows, size_t count, wall_us now, size_t *fresh,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q = {.count = 0};
    struct strbuf c[COLUMNS];
    bool failed = false;
    int ret;

    for (int i = 0; i < COLUMNS; i++) {
        c[i] = (struct strbuf)STRBUF_INIT;
        db_array_begin(&c[i]);
    }
    for (size_t i = 0; i < count; i++)
        add_row(c, &rows[i]);
    for (int i = 0; i < COLUMNS; i++) {
        db_array_end(&c[i]);
        failed = failed || c[i].failed;
        if (i == BEFORE_TIME)
            db_time(&p, now);
        db_text(&p, c[i].text);
    }
    ret = failed ? err_no_memory(e) : db_query(db, "result_put", &p, &q, e);
    *fresh = (size_t)q.affected;
    db_rows_release(&q);
    for (int i = 0; i < COLUMNS; i++)
        strbuf_release(&c[i]);
    return ret;
}

int repo_result_find(struct db *db, const char *keys, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, keys);
    return db_query(db, "result_find", &p, out, e);
}

int repo_result_dispute(struct db *db, const char *result, const char *digest, const char *worker, const char *body,
                        wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    db_text(&p, digest);
    db_text(&p, worker);
    db_text(&p, body);
    db_time(&p, now);
    return db_query(db, "result_dispute", &p, NULL, e);
}

int repo_result_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "result_get", &p, out, e) < 0)
        return -1;
    if (out->count > 0)
        return 1;
    db_rows_release(out);
    return 0;
}

int repo_result_brief(struct db *db, const char *id, int64_t team, struct result_brief *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "result_brief", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->replay = db_get_bool(&q, 0, 0);
        out->traced = db_get_bool(&q, 0, 2);
        out->discarded = db_get_bool(&q, 0, 3);
        out->projected = db_get_bool(&q, 0, 4);
        snprintf(out->simulator, sizeof out->simulator, "%s", db_get(&q, 0, 1));
    }
    db_rows_release(&q);
    return found;
}

int repo_result_use_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_text_of(db, "result_use_json", &p, out, e);
}

int repo_result_costs(struct db *db, const char *profile, const char *simulator, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, simulator);
    return db_query(db, "result_costs", &p, out, e);
}

int repo_result_cycles(struct db *db, const char *profile, const char *design, const char *simulator,
                       struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, design);
    db_text(&p, simulator);
    return db_query(db, "result_cycles", &p, out, e);
}
