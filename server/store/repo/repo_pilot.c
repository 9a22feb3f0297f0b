#include "server/store/repo/repo_pilot.h"

#include <stdio.h>

#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_pack.h"

#define PILOT_FROM                                                                                                 \
    " FROM pilot k JOIN profile f ON f.id = k.profile_id JOIN workload w ON w.id = f.workload_id"                  \
    " LEFT JOIN run r ON r.id = k.run_id "
/* Jobs of its run in these states. */
#define JOBS_IN(states) "(SELECT count(*) FROM job j WHERE j.run_id = r.id AND j.state IN (" states "))"
#define STUCK                                                                                                      \
    "CASE WHEN r.state = 'running' AND r.unmade = 0 AND NOT coalesce(" PACK_WHOLE ", false)"                       \
    " AND NOT EXISTS (SELECT FROM job j WHERE j.run_id = r.id AND j.state IN ('ready', 'leased'))"                 \
    " THEN " JOBS_IN("'blocked'") " ELSE 0 END"
#define PILOT_JSON                                                                                                 \
    "json_build_object('id', k.id, 'profile', f.id, 'workload', w.id, 'workload_name', w.name,"                    \
    "  'design', k.design_name, 'design_sha256', k.design_sha256, 'wanted', k.wanted, 'state', k.state,"           \
    "  'launches', (SELECT p.samples FROM plan p WHERE p.id = k.pilot_plan_id),"                                   \
    "  'simulated', (SELECT count(*) FROM " JOBS_OF_ALL " j WHERE j.run_id = r.id AND j.state = 'done'),"          \
    "  'not_simulated', (SELECT count(*) FROM " JOBS_OF_ALL " j WHERE j.run_id = r.id AND j.state = 'failed'),"    \
    "  'pilot_plan', k.pilot_plan_id, 'run', r.id, 'run_state', r.state, 'cycles', k.cycles_id,"                   \
    "  'plan', k.plan_id, 'note', k.note, 'problem', k.problem, 'hint', k.hint, 'tries', k.tries,"                 \
    "  'created_by', k.created_by, 'created_at', api_time(k.created_at),"                                          \
    "  'finished_at', api_time(k.finished_at))::text"
/* A move brings nothing that is there already: then another server was first. */
#define UNLESS_THERE(column, given) "($" given "::uuid IS NULL OR " column " IS NULL)"

extern const struct db_stmt repo_pilot_stmts[];
const struct db_stmt repo_pilot_stmts[] = {
    {"pilot_put",
     "INSERT INTO pilot (id, profile_id, design_sha256, design_name, wanted, pilot_plan_id, created_by, created_at)"
     " VALUES ($1::uuid, $2::uuid, $3, $4, $5::json, $6::uuid, $7, $8::timestamptz)"},
    {"pilot_find",
     "SELECT k.id, k.profile_id, k.design_sha256, k.design_name, k.state, k.created_by, k.pilot_plan_id, r.id,"
     "       k.cycles_id, r.state, r.simulator, w.id, f.team_id, " STUCK ", k.wanted" PILOT_FROM
     " WHERE k.id = $1::uuid AND ($2::bigint < 0 OR f.team_id = $2::bigint)"},
    {"pilot_due",
     "SELECT k.id" PILOT_FROM " WHERE (k.finished_at IS NULL AND (k.state <> 'simulating' OR r.id IS NULL"
     "     OR r.state NOT IN ('running', 'paused') OR " STUCK " > 0))"
     "   OR (k.state = 'cancelled' AND r.state IN ('running', 'paused')) ORDER BY k.id LIMIT 100"},
    {"pilot_move",
     "UPDATE pilot SET state = $3, run_id = coalesce($4::uuid, run_id), cycles_id = coalesce($5::uuid, cycles_id),"
     "   plan_id = coalesce($6::uuid, plan_id), note = coalesce($7, note), problem = $8, hint = $9,"
     "   finished_at = CASE WHEN $3 IN ('done', 'failed', 'cancelled') THEN $10::timestamptz END"
     " WHERE id = $1::uuid AND state = ANY(string_to_array($2, ','))"
     "   AND (state <> $3 OR $5::uuid IS NOT NULL OR problem IS DISTINCT FROM $8)"
     "   AND " UNLESS_THERE("run_id", "4") " AND " UNLESS_THERE("cycles_id", "5") " AND " UNLESS_THERE("plan_id",
                                                                                                       "6")},
    {"pilot_retry", "UPDATE pilot k SET tries = k.tries + 1, problem = NULL, hint = NULL, finished_at = NULL,"
                    "   state = CASE WHEN s.simulated THEN 'planning' ELSE 'starting' END,"
                    "   run_id = CASE WHEN s.simulated THEN k.run_id END"
                    "  FROM (SELECT p.id, p.cycles_id IS NOT NULL OR coalesce(r.state = 'done', false) AS simulated"
                    "          FROM pilot p LEFT JOIN run r ON r.id = p.run_id WHERE p.id = $1::uuid) s"
                    " WHERE k.id = s.id AND k.state IN ('failed', 'cancelled')"},
    {"pilot_failure", "SELECT failure_text FROM " JOBS_OF_ALL " j WHERE j.run_id = $1::uuid AND j.state = 'failed'"
                      "   AND j.failure_text <> '' ORDER BY j.seq LIMIT 1"},
    {"pilot_traced", "SELECT invocation FROM trace_binding WHERE profile_id = $1::uuid ORDER BY invocation"},
    {"pilot_cycles", "SELECT id FROM profile WHERE workload_id = $1::uuid AND sha256 = $2 AND unit = 'cycles'"
                     "   AND ready ORDER BY id LIMIT 1"},
    {"pilot_share_bound", "INSERT INTO trace_binding (profile_id, invocation, trace_sha256, bound_at)"
                          " SELECT $2::uuid, invocation, trace_sha256, $3::timestamptz FROM trace_binding"
                          "  WHERE profile_id = $1::uuid ON CONFLICT DO NOTHING"},
    {"pilot_share_file", "UPDATE profile t SET traces_sha256 = f.traces_sha256, traces_launches = f.traces_launches"
                         "  FROM profile f WHERE f.id = $1::uuid AND t.id = $2::uuid AND t.traces_sha256 IS NULL"},
    {"pilot_json", "SELECT " PILOT_JSON PILOT_FROM " WHERE k.id = $1::uuid AND f.team_id = $2::bigint"},
    {"pilot_list", "SELECT " PILOT_JSON ", k.id" PILOT_FROM
                   " WHERE k.profile_id = $1::uuid AND ($2::text = '' OR k.id < nullif($2::text, '')::uuid)"
                   " ORDER BY k.id DESC LIMIT $3::bigint"},
    {NULL, NULL},
};

int repo_pilot_put(struct db *db, const struct pilot_new *x, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, x->id);
    db_text(&p, x->profile);
    db_text(&p, x->design);
    db_text(&p, x->design_name);
    db_text(&p, x->wanted);
    db_text(&p, x->pilot_plan);
    db_text(&p, x->by);
    db_time(&p, now);
    return db_query(db, "pilot_put", &p, NULL, e);
}

static void copy(char *to, size_t size, const struct db_rows *q, int column)
{
    snprintf(to, size, "%s", db_get(q, 0, column));
}

static void read_row(const struct db_rows *q, struct pilot_row *out)
{
    copy(out->id, sizeof out->id, q, 0);
    copy(out->profile, sizeof out->profile, q, 1);
    copy(out->design, sizeof out->design, q, 2);
    copy(out->design_name, sizeof out->design_name, q, 3);
    copy(out->state, sizeof out->state, q, 4);
    copy(out->by, sizeof out->by, q, 5);
    copy(out->pilot_plan, sizeof out->pilot_plan, q, 6);
    copy(out->run, sizeof out->run, q, 7);
    copy(out->cycles, sizeof out->cycles, q, 8);
    copy(out->run_state, sizeof out->run_state, q, 9);
    copy(out->simulator, sizeof out->simulator, q, 10);
    copy(out->workload, sizeof out->workload, q, 11);
    out->team = db_get_i64(q, 0, 12);
    out->stuck = db_get_i64(q, 0, 13);
}

int repo_pilot_find(struct db *db, const char *id, int64_t team, struct pilot_row *out, struct strbuf *wanted,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, "pilot_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_row(&q, out);
    if (found && wanted)
        strbuf_adds(wanted, db_get(&q, 0, 14));
    db_rows_release(&q);
    return wanted && wanted->failed ? err_no_memory(e) : found;
}

static int rows_of(struct db *db, const char *stmt, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (id)
        db_text(&p, id);
    return db_query(db, stmt, &p, out, e);
}

int repo_pilot_due(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, "pilot_due", NULL, out, e);
}

/* 1: it changed something. */
static int changed(struct db *db, const char *stmt, const struct db_params *p, struct err *e)
{
    struct db_rows q;
    int any;

    if (db_query(db, stmt, p, &q, e) < 0)
        return -1;
    any = q.affected > 0;
    db_rows_release(&q);
    return any;
}

int repo_pilot_move(struct db *db, const char *id, const struct pilot_move *m, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, m->from);
    db_text(&p, m->to);
    db_text(&p, m->run);
    db_text(&p, m->cycles);
    db_text(&p, m->plan);
    db_text(&p, m->note);
    db_text(&p, m->problem);
    db_text(&p, m->hint);
    db_time(&p, now);
    return changed(db, "pilot_move", &p, e);
}

int repo_pilot_retry(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return changed(db, "pilot_retry", &p, e);
}

int repo_pilot_failure(struct db *db, const char *run, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_text_of(db, "pilot_failure", &p, out, e);
}

int repo_pilot_traced(struct db *db, const char *profile, struct db_rows *out, struct err *e)
{
    return rows_of(db, "pilot_traced", profile, out, e);
}

int repo_pilot_cycles(struct db *db, const char *workload, const char *sha256, char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, workload);
    db_text(&p, sha256);
    if (db_query(db, "pilot_cycles", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        copy(id, UUID_TEXT, &q, 0);
    db_rows_release(&q);
    return found;
}

int repo_pilot_share_traces(struct db *db, const char *from, const char *to, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, file = DB_PARAMS_INIT;

    db_text(&p, from);
    db_text(&p, to);
    db_time(&p, now);
    db_text(&file, from);
    db_text(&file, to);
    return db_query(db, "pilot_share_bound", &p, NULL, e) < 0 ? -1
                                                              : db_query(db, "pilot_share_file", &file, NULL, e);
}

int repo_pilot_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_text_of(db, "pilot_json", &p, out, e);
}

int repo_pilot_list(struct db *db, const char *profile, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "pilot_list", &p, out, e);
}
