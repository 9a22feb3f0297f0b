#include "server/store/repo/repo_caches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/repo_run_sql.h"

_Static_assert(CACHE_ERROR_BEFORE == 16, "schema/0300 and CACHE_FIRST_WINDOW begin there");

extern const struct db_stmt repo_caches_stmts[];
const struct db_stmt repo_caches_stmts[] = {
    {"caches_wish",
     "INSERT INTO cache_wish (run_id, launches, asked_by, asked_at)"
     " VALUES ($1::uuid, $2::smallint, $3, $4::timestamptz) ON CONFLICT (run_id) DO UPDATE"
     "  SET launches = greatest(cache_wish.launches, excluded.launches), asked_by = excluded.asked_by,"
     "      asked_at = excluded.asked_at, is_default = false, " CACHE_WISH_ANEW},
    {"caches_wish_usual",
     "INSERT INTO cache_wish (run_id, launches, asked_by, asked_at, is_default)"
     " SELECT r.id, $2::smallint, $3, $4::timestamptz, true FROM run r JOIN plan p ON p.id = r.plan_id"
     "   JOIN profile f ON f.id = p.profile_id"
     "  WHERE r.id = $1::uuid AND r.engine = 'cycle' AND f.traces_sha256 IS NOT NULL"},
    {"caches_wishes",
     "SELECT r.id, f.traces_sha256, f.team_id, x.launches, f.invocations, r.simulator, x.looks_back"
     "  FROM cache_wish x JOIN run r ON r.id = x.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN profile f ON f.id = p.profile_id"
     " WHERE x.chosen_at IS NULL AND r.finished_at IS NOT NULL AND r.projected_version >= r.version"
     " ORDER BY r.id LIMIT 100"},
    {"caches_forget", "DELETE FROM cache_wish WHERE run_id = $1::uuid AND is_default"},
    {"caches_chosen", "UPDATE cache_wish SET chosen_at = $3::timestamptz, why_not = $2 WHERE run_id = $1::uuid"},
    {"caches_widen", "UPDATE cache_wish SET chosen_at = NULL, looks_back = 2 * looks_back, still = $2::smallint"
                     " WHERE run_id = $1::uuid"},
    {"caches_candidates",
     "WITH known AS (SELECT j.sample, max(q.cycles) FILTER (WHERE j.design = 0) AS cycles,"
     "                      min(q.trace_sha256) AS trace"
     "                 FROM " JOBS_OF_ALL " j JOIN result q ON q.id = j.result_id"
     "                WHERE j.run_id = $1::uuid AND j.state = 'done' AND q.cycles > 0 GROUP BY j.sample"
     "               HAVING count(*) = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)"
     "                  AND bool_and(q.empty_caches)),"
     "     ranked AS (SELECT s.stratum, k.cycles, s.invocation, s.context_number, s.launch_order, k.trace,"
     "                       row_number() OVER (PARTITION BY s.stratum ORDER BY k.cycles DESC, s.invocation) AS "
     "place"
     "                  FROM run r JOIN sample s ON s.plan_id = r.plan_id JOIN known k ON k.sample = s.number"
     "                 WHERE r.id = $1::uuid)"
     " SELECT stratum, cycles, invocation, context_number, launch_order, trace, EXISTS (SELECT FROM "
     "cache_check_task c"
     "          WHERE c.run_id = $1::uuid AND c.launch = ranked.invocation AND c.looks_back = $3::integer"
     "            AND c.state <> 'failed'),"
     "        (SELECT count(*) FROM cache_check_task c WHERE c.run_id = $1::uuid AND c.launch = "
     "ranked.invocation"
     "            AND 2 * c.looks_back = $3::integer AND c.state = 'done')"
     "        = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)"
     "   FROM ranked WHERE place <= $2::bigint ORDER BY stratum, place"},
    {"caches_totals",
     "SELECT p.value, p.version, (x.h->>'total')::float8 FROM projection p"
     "  CROSS JOIN LATERAL json_array_elements(p.strata) WITH ORDINALITY AS x(h, n)"
     " WHERE p.run_id = $1::uuid AND p.design = $2::smallint AND p.value > 0 AND p.unit = 'cycles' ORDER BY x.n"},
    {"caches_clear_failed", "DELETE FROM task t USING cache_check k WHERE k.task_id = t.id AND k.run_id = $1::uuid"
                            "   AND k.launch = $2::bigint AND k.looks_back = $3::integer AND t.state = 'failed'"},
    {"caches_put",
     "WITH n AS MATERIALIZED (SELECT gen_random_uuid() AS id, d.number, d.design_sha256, r.simulator, q.cycles,"
     "        q.host_seconds, k.warmed_cycles FROM run r JOIN run_design d ON d.run_id = r.id"
     "   JOIN sample s ON s.plan_id = r.plan_id AND s.invocation = $2::bigint"
     "   JOIN " JOBS_OF_ALL
     " j ON j.run_id = r.id AND j.sample = s.number AND j.design = d.number AND j.state = 'done'"
     "   JOIN result q ON q.id = j.result_id"
     /* the same launches on the same design: simulated already */
     "   LEFT JOIN LATERAL (SELECT c.warmed_cycles FROM cache_check_task c WHERE c.trace_sha256 = $4::text"
     "      AND c.design_sha256 = d.design_sha256 AND c.simulator = r.simulator AND c.state = 'done' LIMIT 1) k"
     "     ON true"
     "  WHERE r.id = $1::uuid AND NOT EXISTS (SELECT FROM cache_check c WHERE c.run_id = r.id"
     "    AND c.design = d.number AND c.launch = $2::bigint AND c.looks_back = $9::integer)),"
     " made AS (INSERT INTO task (id, kind, run_id, trace_sha256, design_sha256, simulator, expected_s, state,"
     "             made_at, finished_at, why)"
     "   SELECT id, 'cache_check', $1::uuid, $4::text, design_sha256, simulator,"
     "          ($5::smallint + 1) * coalesce(host_seconds, 0), (CASE WHEN $4::text IS NULL THEN 'failed'"
     "             WHEN warmed_cycles IS NULL THEN 'ready' ELSE 'done' END)::task_state, $8::timestamptz,"
     "          CASE WHEN $4::text IS NULL OR warmed_cycles IS NOT NULL THEN $8::timestamptz END,"
     "          CASE WHEN $4::text IS NULL THEN $7::text END FROM n)"
     " INSERT INTO cache_check (task_id, run_id, design, launch, looks_back, stratum, empty_cycles,"
     "   warmed_cycles, before, missing)"
     " SELECT id, $1::uuid, number, $2::bigint, $9::integer, $3::integer, cycles, warmed_cycles, $5::smallint,"
     "        $6::smallint FROM n"},
    {"caches_leased",
     "SELECT t.design_sha256, t.run_id, k.design FROM task t JOIN cache_check k ON k.task_id = t.id"
     " WHERE t.id = $1::uuid AND t.attempt = $2::integer AND t.session_id = $3::uuid"
     "   AND t.state = 'leased'"},
    {"caches_end", "WITH " TASK_END " UPDATE cache_check SET warmed_cycles = $7::float8"
                   " WHERE task_id IN (SELECT id FROM ended)"},
    {"caches_pairs",
     "SELECT k.stratum, k.empty_cycles, k.warmed_cycles, k.before, k.missing, s.launch_order <= k.looks_back"
     "  FROM cache_check_task k JOIN run r ON r.id = k.run_id"
     "  JOIN sample s ON s.plan_id = r.plan_id AND s.invocation = k.launch"
     " WHERE k.run_id = $1::uuid AND k.design = $2::smallint AND k.looks_back = $3::integer AND k.state = 'done'"
     " ORDER BY k.launch"},
    {"caches_known", "SELECT launches, relative, looks_back FROM cache_error"
                     " WHERE run_id = $1::uuid AND design = $2::smallint"},
    {"caches_count",
     "INSERT INTO cache_error (run_id, design, launches, missing, share, relative, version, counted_at, looks_back,"
     "   wanted, whole, settled)"
     " VALUES ($1::uuid, $2::smallint, $3::integer, $4::integer, $5::float8, $6::float8, $7::bigint,"
     "         $8::timestamptz, $9::integer, $10::integer, $11::boolean, $12::boolean)"
     " ON CONFLICT (run_id, design) DO UPDATE SET launches = excluded.launches, missing = excluded.missing,"
     "    share = excluded.share, relative = excluded.relative, version = excluded.version,"
     "    counted_at = excluded.counted_at, looks_back = excluded.looks_back, wanted = excluded.wanted,"
     "    whole = excluded.whole, settled = excluded.settled"},
    {"caches_lock",
     "SELECT chosen_at IS NOT NULL, looks_back, still, launches FROM cache_wish WHERE run_id = $1::uuid"
     "   FOR UPDATE"},
    {"caches_errors",
     "SELECT d.name, x.relative, x.settled FROM cache_error x JOIN run_design d ON d.run_id = x.run_id"
     "   AND d.number = x.design WHERE x.run_id = $1::uuid AND x.launches > 0 ORDER BY x.design"},
    {"caches_states", "SELECT count(*) FILTER (WHERE state IN ('ready', 'leased')),"
                      "       count(*) FILTER (WHERE state = 'failed') FROM cache_check_task"
                      " WHERE run_id = $1::uuid AND looks_back = $2::integer"},
    {NULL, NULL},
};

/* --- Wishes --- */

static int wish(struct db *db, const char *stmt, const char *run, int64_t launches, const char *by, wall_us now,
                struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, launches);
    db_text(&p, by);
    db_time(&p, now);
    return db_query(db, stmt, &p, NULL, e);
}

int repo_caches_wish(struct db *db, const char *run, int64_t launches, const char *by, wall_us now, struct err *e)
{
    return wish(db, "caches_wish", run, launches, by, now, e);
}

int repo_caches_wish_usual(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                           struct err *e)
{
    return wish(db, "caches_wish_usual", run, launches, by, now, e);
}

int repo_caches_wishes(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "caches_wishes", &none, out, e);
}

void cache_run_read(const struct db_rows *r, int row, struct cache_run *out)
{
    snprintf(out->run, sizeof out->run, "%s", db_get(r, row, 0));
    snprintf(out->traces, sizeof out->traces, "%s", db_get(r, row, 1));
    out->team = db_get_i64(r, row, 2);
    out->launches = db_get_i64(r, row, 3);
    out->of = db_get_u64(r, row, 4);
    snprintf(out->simulator, sizeof out->simulator, "%s", db_get(r, row, 5));
    out->looks_back = db_get_u64(r, row, 6);
}

int repo_caches_chosen(struct db *db, const char *run, const char *why_not, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, why_not);
    db_time(&p, now);
    return db_query(db, "caches_chosen", &p, NULL, e);
}

int repo_caches_widen(struct db *db, const char *run, unsigned still, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, still);
    return db_query(db, "caches_widen", &p, NULL, e);
}

/* --- Choosing --- */

int repo_caches_forget(struct db *db, const char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int forgotten;

    db_text(&p, run);
    if (db_query(db, "caches_forget", &p, &q, e) < 0)
        return -1;
    forgotten = q.affected > 0;
    db_rows_release(&q);
    return forgotten;
}

int repo_caches_candidates(struct db *db, const struct cache_run *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run->run);
    db_i64(&p, run->launches);
    db_i64(&p, (int64_t)run->looks_back);
    return db_query(db, "caches_candidates", &p, out, e);
}

void cache_totals_release(struct cache_totals *t)
{
    free(t->totals);
    *t = (struct cache_totals){.version = 0};
}

int repo_caches_totals(struct db *db, const char *run, int64_t design, struct cache_totals *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_totals){.version = 0};
    db_text(&p, run);
    db_i64(&p, design);
    if (db_query(db, "caches_totals", &p, &q, e) < 0)
        return -1;
    out->totals = mem_zalloc((size_t)q.count + 1, sizeof *out->totals, e);
    if (out->totals && q.count > 0) {
        for (int i = 0; i < q.count; i++)
            out->totals[i] = db_get_double(&q, i, 2);
        out->strata = (struct cache_strata){out->totals, (size_t)q.count, db_get_double(&q, 0, 0)};
        out->version = db_get_i64(&q, 0, 1);
    }
    db_rows_release(&q);
    return out->totals ? 0 : -1;
}

int repo_caches_put(struct db *db, const struct cache_launch *l, wall_us now, struct err *e)
{
    struct db_params failed = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    db_text(&failed, l->run);
    db_i64(&failed, l->invocation);
    db_i64(&failed, (int64_t)l->looks_back);
    db_text(&p, l->run);
    db_i64(&p, l->invocation);
    db_i64(&p, l->stratum);
    db_text(&p, l->trace);
    db_i64(&p, l->before);
    db_i64(&p, l->missing);
    db_text(&p, l->why);
    db_time(&p, now);
    db_i64(&p, (int64_t)l->looks_back);
    return db_query(db, "caches_clear_failed", &failed, NULL, e) < 0 || db_query(db, "caches_put", &p, NULL, e) < 0
               ? -1
               : 0;
}

/* --- Workers --- */

int repo_caches_leased(struct db *db, const char *check, uint32_t attempt, const char *session, struct db_rows *out,
                       struct err *e)
{
    return repo_task_held(db, "caches_leased", check, attempt, session, out, e);
}

int repo_caches_end(struct db *db, const struct cache_end *end, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, &end->task, now);
    db_double(&p, end->task.done ? (double)end->cycles : NAN);
    return db_query(db, "caches_end", &p, NULL, e);
}

/* --- What they come to --- */

/* Window and pairs of the rows. */
static void read_pairs(const struct db_rows *q, struct cache_pairs *out)
{
    out->window.whole = q->count > 0;
    for (int i = 0; i < q->count; i++) {
        int64_t missing = db_get_i64(q, i, 4);

        out->items[i] =
            (struct cache_pair){(size_t)db_get_i64(q, i, 0), db_get_double(q, i, 1), db_get_double(q, i, 2)};
        out->window.wanted += (uint64_t)(db_get_i64(q, i, 3) + missing);
        out->window.missing += (uint64_t)missing;
        out->window.whole = out->window.whole && db_get_bool(q, i, 5);
    }
}

int repo_caches_pairs(struct db *db, const char *run, int64_t design, uint64_t looks_back, struct cache_pairs *out,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_pairs){.window.before = looks_back};
    db_text(&p, run);
    db_i64(&p, design);
    db_i64(&p, (int64_t)looks_back);
    if (db_query(db, "caches_pairs", &p, &q, e) < 0)
        return -1;
    out->n = (size_t)q.count;
    out->items = mem_zalloc(out->n + 1, sizeof *out->items, e);
    if (out->items)
        read_pairs(&q, out);
    db_rows_release(&q);
    return out->items ? 0 : -1;
}

int repo_caches_known(struct db *db, const char *run, int64_t design, struct cache_known *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_known){.launches = 0};
    db_text(&p, run);
    db_i64(&p, design);
    if (db_query(db, "caches_known", &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        *out = (struct cache_known){db_get_u64(&q, 0, 0), db_get_double(&q, 0, 1), db_get_u64(&q, 0, 2)};
    db_rows_release(&q);
    return 0;
}

int repo_caches_count(struct db *db, const struct cache_count *c, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, c->run);
    db_i64(&p, c->design);
    db_i64(&p, (int64_t)c->error.launches);
    db_i64(&p, (int64_t)c->window.missing);
    db_double(&p, c->error.share);
    db_double(&p, c->error.relative);
    db_i64(&p, c->version);
    db_time(&p, now);
    db_i64(&p, (int64_t)c->window.before);
    db_i64(&p, (int64_t)c->window.wanted);
    db_bool(&p, c->window.whole);
    db_bool(&p, cache_window_settled(&c->window));
    return db_query(db, "caches_count", &p, NULL, e);
}

int repo_caches_lock(struct db *db, const char *run, struct cache_wish *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    *out = (struct cache_wish){.chosen = false};
    db_text(&p, run);
    if (db_query(db, "caches_lock", &p, &q, e) < 0)
        return -1;
    if (q.count > 0)
        *out = (struct cache_wish){db_get_bool(&q, 0, 0), db_get_u64(&q, 0, 1), (unsigned)db_get_u64(&q, 0, 2),
                                   db_get_i64(&q, 0, 3)};
    db_rows_release(&q);
    return 0;
}

int repo_caches_errors(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, "caches_errors", &p, out, e);
}

int repo_caches_states(struct db *db, const char *run, uint64_t looks_back, uint64_t *open, uint64_t *failed,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    db_i64(&p, (int64_t)looks_back);
    if (db_query(db, "caches_states", &p, &q, e) < 0)
        return -1;
    *open = db_get_u64(&q, 0, 0);
    *failed = db_get_u64(&q, 0, 1);
    db_rows_release(&q);
    return 0;
}
