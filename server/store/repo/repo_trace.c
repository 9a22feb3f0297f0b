#include "server/store/repo/repo_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/repo_pack.h"

extern const struct db_stmt repo_trace_stmts[];
const struct db_stmt repo_trace_stmts[] = {
    {"trace_put",
     "INSERT INTO trace (sha256, name, grid, block, warp_instructions, ctas, warps, bytes, created_at,"
     "                   program_sha256)"
     " VALUES ($1, $2, ARRAY[$3::bigint, $4::bigint, $5::bigint], ARRAY[$6::bigint, $7::bigint, $8::bigint],"
     "         $9::bigint, $10::bigint, $11::bigint, $12::bigint, $13::timestamptz, nullif($14, ''))"
     " ON CONFLICT DO NOTHING"},
    {"trace_find",
     "SELECT t.sha256 IS NOT NULL, t.name, t.grid[1], t.grid[2], t.grid[3], t.block[1], t.block[2], t.block[3],"
     "       t.warp_instructions, t.ctas, t.warps, b.bytes,"
     "       t.program_sha256"
     "  FROM blob b JOIN blob_owner o ON o.sha256 = b.sha256 LEFT JOIN trace t ON t.sha256 = b.sha256"
     " WHERE b.sha256 = $1 AND o.team_id = $2::bigint"},
    {"trace_launch",
     "SELECT s.invocation, k.name, k.mangled_name, k.grid[1], k.grid[2], k.grid[3], k.block[1], k.block[2], "
     "k.block[3],"
     "       b.trace_sha256"
     "  FROM plan w JOIN plan p ON p.profile_id = w.profile_id JOIN sample s ON s.plan_id = p.id"
     "    AND s.context_number = $2::integer AND s.launch_order = $3::bigint"
     "  JOIN kernel k ON k.profile_id = p.profile_id AND k.index = s.kernel"
     "  LEFT JOIN trace_binding b ON b.profile_id = p.profile_id AND b.invocation = s.invocation"
     " WHERE w.id = $1::uuid LIMIT 1"},
    {"trace_bind", "INSERT INTO trace_binding (profile_id, invocation, trace_sha256, bound_at)"
                   " VALUES ($1::uuid, $2::bigint, $3, $4::timestamptz) ON CONFLICT DO NOTHING"},
    {"trace_bound", "SELECT s.number FROM sample s JOIN plan p ON p.id = s.plan_id JOIN trace_binding b"
                    "    ON b.profile_id = p.profile_id AND b.invocation = s.invocation WHERE p.id = $1::uuid"
                    " ORDER BY s.number"},
    {"trace_contexts", "SELECT count(*) FROM plan_context WHERE plan_id = $1::uuid"},
    {"trace_unbound", "SELECT count(*) FROM plan p, unnest($2::bigint[]) i WHERE p.id = $1::uuid"
                      " AND NOT EXISTS (SELECT FROM sample s WHERE s.plan_id = p.id AND s.invocation = i)"
                      " AND NOT EXISTS (SELECT FROM trace_binding b WHERE b.profile_id = p.profile_id"
                      "   AND b.invocation = i)"},
    {"trace_missing",
     "SELECT p.samples, p.samples - (SELECT count(*) FROM trace_binding b JOIN sample s ON s.plan_id = p.id"
     "   AND s.invocation = b.invocation WHERE b.profile_id = p.profile_id) FROM plan p WHERE p.id = $1::uuid"},
    {"trace_json",
     "WITH s AS (SELECT s.*, p.profile_id, b.trace_sha256 FROM sample s JOIN plan p ON p.id = s.plan_id"
     "             LEFT JOIN trace_binding b ON b.profile_id = p.profile_id AND b.invocation = s.invocation"
     "            WHERE s.plan_id = $1::uuid)"
     " SELECT json_build_object('samples', (SELECT count(*) FROM s), 'bound',"
     "   (SELECT count(*) FROM s WHERE trace_sha256 IS NOT NULL), 'missing_count',"
     "   (SELECT count(*) FROM s WHERE trace_sha256 IS NULL), 'in_file', (SELECT count(*) FROM s JOIN profile f"
     "      ON f.id = s.profile_id AND " PACK_WHOLE " WHERE trace_sha256 IS NULL), 'missing',"
     "   (SELECT coalesce(json_agg(m), '[]') FROM (SELECT s.invocation, s.stratum, s.context_number AS context,"
     "       s.launch_order, k.name AS kernel, k.grid, k.block"
     "      FROM s JOIN kernel k ON k.profile_id = s.profile_id AND k.index = s.kernel WHERE s.trace_sha256 IS NULL"
     "     ORDER BY s.context_number, s.launch_order LIMIT 1000) m), 'bindings',"
     "   (SELECT coalesce(json_agg(m), '[]') FROM (SELECT s.invocation, s.trace_sha256 AS trace, "
     "t.warp_instructions"
     "      FROM s JOIN trace t ON t.sha256 = s.trace_sha256 ORDER BY s.invocation LIMIT 10000) m), 'waiting',"
     "   (SELECT coalesce(json_agg(DISTINCT r.plan_id), '[]') FROM plan w JOIN plan q ON q.profile_id = "
     "w.profile_id"
     "      JOIN run r ON r.plan_id = q.id AND r.engine = 'cycle' AND r.state IN ('running', 'paused')"
     "     WHERE w.id = $1::uuid AND q.id <> w.id AND EXISTS (SELECT FROM job j WHERE j.run_id = r.id"
     "       AND j.state = 'blocked')))::text"},
    {NULL, NULL},
};

int repo_trace_put(struct db *db, const struct trace_row *row, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->sha256);
    db_text(&p, row->name);
    for (int i = 0; i < 3; i++)
        db_i64(&p, row->grid[i]);
    for (int i = 0; i < 3; i++)
        db_i64(&p, row->block[i]);
    db_i64(&p, (int64_t)row->warp_instructions);
    db_i64(&p, (int64_t)row->ctas);
    db_i64(&p, (int64_t)row->warps);
    db_i64(&p, (int64_t)row->bytes);
    db_time(&p, now);
    db_text(&p, row->program);
    return db_query(db, "trace_put", &p, NULL, e);
}

int repo_trace_find(struct db *db, const char *sha256, int64_t team, bool *known, struct trace_row *row,
                    char **name, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *name = NULL;
    *row = (struct trace_row){.name = NULL};
    db_text(&p, sha256);
    db_i64(&p, team);
    if (db_query(db, "trace_find", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(row->sha256, sizeof row->sha256, "%s", sha256);
        *known = db_get_bool(&q, 0, 0);
        for (int i = 0; i < 3; i++) {
            row->grid[i] = (uint32_t)db_get_i64(&q, 0, 2 + i);
            row->block[i] = (uint32_t)db_get_i64(&q, 0, 5 + i);
        }
        row->warp_instructions = (uint64_t)db_get_i64(&q, 0, 8);
        row->ctas = (uint64_t)db_get_i64(&q, 0, 9);
        row->warps = (uint64_t)db_get_i64(&q, 0, 10);
        row->bytes = (uint64_t)db_get_i64(&q, 0, 11);
        snprintf(row->program, sizeof row->program, "%s", db_get(&q, 0, 12));
        if (*known && !(*name = mem_strdup(db_get(&q, 0, 1), e)))
            found = -1;
        row->name = *name;
    }
    db_rows_release(&q);
    return found;
}

int repo_trace_launch(struct db *db, const char *plan, uint64_t context, uint64_t order, struct sampled_launch *out,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *out = (struct sampled_launch){.invocation = 0};
    db_text(&p, plan);
    db_i64(&p, (int64_t)context);
    db_i64(&p, (int64_t)order);
    if (db_query(db, "trace_launch", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->invocation = (uint64_t)db_get_i64(&q, 0, 0);
        out->kernel = mem_strdup(db_get(&q, 0, 1), e);
        out->mangled_name = db_is_null(&q, 0, 2) ? NULL : mem_strdup(db_get(&q, 0, 2), e);
        for (int i = 0; i < 3; i++) {
            out->grid[i] = (uint32_t)db_get_i64(&q, 0, 3 + i);
            out->block[i] = (uint32_t)db_get_i64(&q, 0, 6 + i);
        }
        snprintf(out->bound_to, sizeof out->bound_to, "%s", db_get(&q, 0, 9));
        if (!out->kernel || (!db_is_null(&q, 0, 2) && !out->mangled_name))
            found = -1;
    }
    db_rows_release(&q);
    if (found < 0)
        sampled_launch_release(out);
    return found;
}

void sampled_launch_release(struct sampled_launch *l)
{
    free(l->kernel);
    free(l->mangled_name);
    *l = (struct sampled_launch){.invocation = 0};
}

int repo_trace_bind(struct db *db, const char *profile, uint64_t invocation, const char *sha256, wall_us now,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_i64(&p, (int64_t)invocation);
    db_text(&p, sha256);
    db_time(&p, now);
    return db_query(db, "trace_bind", &p, NULL, e);
}

static int two_numbers(struct db *db, const char *stmt, const char *plan, int64_t *a, int64_t *b, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, plan);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    *a = db_get_i64(&q, 0, 0);
    if (b)
        *b = db_get_i64(&q, 0, 1);
    db_rows_release(&q);
    return 0;
}

int repo_trace_contexts(struct db *db, const char *plan, int64_t *out, struct err *e)
{
    return two_numbers(db, "trace_contexts", plan, out, NULL, e);
}

int repo_trace_unbound(struct db *db, const char *plan, const char *launches, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, plan);
    db_text(&p, launches);
    if (db_query(db, "trace_unbound", &p, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_trace_missing(struct db *db, const char *plan, int64_t *samples, int64_t *missing, struct err *e)
{
    return two_numbers(db, "trace_missing", plan, samples, missing, e);
}

int repo_trace_json(struct db *db, const char *plan, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    return db_text_of(db, "trace_json", &p, out, e) < 0 ? -1 : 0;
}

int repo_trace_bound(struct db *db, const char *plan, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    return db_query(db, "trace_bound", &p, out, e);
}
