#include "server/store/repo/repo_profile.h"

#include <stdio.h>
#include <stdlib.h>

#define PIECE ((size_t)8 << 20) /* bytes of features in a row */

extern const struct db_stmt repo_profile_stmts[];
const struct db_stmt repo_profile_stmts[] = {
    {"profile_clear", "DELETE FROM profile WHERE import_id = $1::uuid"},
    {"profile_put",
     "INSERT INTO profile (id, team_id, import_id, blob_sha256, name, format, unit, gpu_name, has_times, "
     "invocations,"
     "   zero_invocations, kernels, kernel_shapes, devices, streams, total, makespan_ns, sha256, tables, spark, "
     "created_at, features)"
     " VALUES ($1::uuid, $2::bigint, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean,"
     "   $10::bigint, $11::bigint, $12::bigint, $13::bigint, $14::bigint, $15::bigint, $16::numeric, $17::numeric,"
     "   $18::text, $19::bytea, $20::integer[], $21::timestamptz, $22::text)"},
    /* grid and block travel as six columns: PostgreSQL cannot unnest an array of arrays by rows */
    {"profile_kernels_put",
     "INSERT INTO kernel (profile_id, index, name, mangled_name, grid, block, registers, shared_bytes, name_id, "
     "calls,"
     "   total, mean, cov, min, max)"
     " SELECT $1::uuid, $2::bigint + n - 1, name, mangled, ARRAY[gx, gy, gz], ARRAY[bx, by, bz], registers, shared,"
     "   name_id, calls, total, mean, cov, min, max"
     "  FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],"
     "   $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::numeric[],"
     "   $16::double precision[], $17::double precision[], $18::numeric[], $19::numeric[]) WITH ORDINALITY"
     "   AS t(name, mangled, gx, gy, gz, bx, by, bz, registers, shared, name_id, calls, total, mean, cov, min, "
     "max, n)"},
    {"profile_chunk_put", "INSERT INTO profile_chunk (profile_id, chunk, rows, columns)"
                          " VALUES ($1::uuid, $2::integer, $3::integer, $4::bytea)"},
    {"profile_ready", "UPDATE profile SET ready = true, workload_id = $2::uuid WHERE id = $1::uuid"},
    {"profile_get",
     "SELECT format, gpu_name, unit, has_times, invocations, kernels, kernel_shapes, tables FROM profile"
     " WHERE id = $1::uuid AND ready"},
    {"profile_kernels",
     "SELECT name, mangled_name, grid[1], grid[2], grid[3], block[1], block[2], block[3], registers,"
     "       shared_bytes, name_id FROM kernel"
     " WHERE profile_id = $1::uuid AND index >= $2::bigint ORDER BY index LIMIT $3::bigint"},
    {"profile_features_clear", "DELETE FROM profile_feature WHERE profile_id = $1::uuid"},
    {"profile_feature_put", "INSERT INTO profile_feature (profile_id, piece, bytes)"
                            " VALUES ($1::uuid, $2::integer, $3::bytea)"},
    {"profile_features_hold", "SELECT 1 FROM profile WHERE id = $1::uuid FOR SHARE"},
    {"profile_sha256", "SELECT sha256 FROM profile WHERE id = $1::uuid AND team_id = $2::bigint AND ready"},
    {"profile_featured", "UPDATE profile SET sha256 = $3, features = $4 WHERE id = $1::uuid AND sha256 = $2"},
    {"profile_in_use", "SELECT 1 FROM run r JOIN plan p ON p.id = r.plan_id"
                       " WHERE p.profile_id = $1::uuid AND r.state IN ('running', 'paused') LIMIT 1"},
    {"profile_feature", "SELECT bytes FROM profile_feature WHERE profile_id = $1::uuid AND piece = $2::integer"},
    {"profile_chunk",
     "SELECT rows, columns FROM profile_chunk WHERE profile_id = $1::uuid AND chunk = $2::integer"},
    {"profile_json",
     "SELECT json_build_object('id', p.id, 'workload', p.workload_id, 'workload_name', w.name, 'name', p.name,"
     "   'format', p.format, 'unit', p.unit, 'gpu_name', p.gpu_name, 'invocations', p.invocations,"
     "   'zero_invocations', p.zero_invocations, 'kernels', p.kernels, 'kernel_shapes', p.kernel_shapes,"
     "   'total', p.total::text, 'total_s', CASE WHEN p.unit = 'ns' THEN p.total::double precision / 1e9 END,"
     "   'makespan_s', CASE WHEN p.has_times THEN p.makespan_ns::double precision / 1e9 END,"
     "   'devices', p.devices, 'streams', p.streams, 'sha256', p.sha256, 'features', p.features, 'traces', "
     "p.traces_sha256, 'spark', p.spark, "
     "'report', i.report, 'uploaded_by', i.uploaded_by,"
     "   'created_at', to_char(p.created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'))"
     "  FROM profile p JOIN workload w ON w.id = p.workload_id LEFT JOIN import i ON i.id = p.import_id"
     " WHERE p.id = $1::uuid AND p.team_id = $2::bigint AND p.ready"},
    {"profile_of_team", "SELECT 1 FROM profile WHERE id = $1::uuid AND team_id = $2::bigint AND ready"},
    {"profile_kernels_json",
     "SELECT json_build_object('kernel', k.index, 'name', k.name, 'grid', k.grid, 'block', k.block, 'calls', "
     "k.calls,"
     "   'total', k.total::text, 'mean', k.mean, 'cov', k.cov, 'min', k.min, 'max', k.max,"
     "   'share', CASE WHEN p.total > 0 THEN k.total::double precision / p.total::double precision ELSE 0 END),"
     "   k.total, k.index"
     "  FROM kernel k JOIN profile p ON p.id = k.profile_id"
     " WHERE k.profile_id = $1::uuid AND ($2::text = '' OR k.total < nullif($2::text, '')::numeric"
     "    OR (k.total = nullif($2::text, '')::numeric AND k.index > nullif($3::text, '')::bigint))"
     " ORDER BY k.total DESC, k.index LIMIT $4::bigint"},
    {NULL, NULL},
};

int repo_profile_clear(struct db *db, const char *import_id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, import_id);
    return db_query(db, "profile_clear", &p, NULL, e);
}

int repo_profile_put(struct db *db, const char *id, int64_t team, const char *import_id, const char *blob,
                     const char *name, const struct profile_facts *f, const struct strbuf *tables, wall_us now,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf spark = STRBUF_INIT;
    int ret;

    db_array_begin(&spark);
    for (int i = 0; i < SPARK_BINS; i++)
        db_array_add_i64(&spark, f->spark[i]);
    db_array_end(&spark);
    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, import_id);
    db_text(&p, blob);
    db_text(&p, name);
    db_text(&p, f->format);
    db_text(&p, f->unit);
    db_text(&p, f->gpu_name);
    db_bool(&p, f->has_times != 0);
    db_u64(&p, f->invocations);
    db_u64(&p, f->zero_invocations);
    db_u64(&p, f->kernels);
    db_u64(&p, f->kernel_shapes);
    db_u64(&p, f->devices);
    db_u64(&p, f->streams);
    db_u64(&p, f->total);
    db_u64(&p, f->makespan_ns);
    db_text(&p, f->sha256);
    db_bytes(&p, tables->text, tables->length);
    db_text(&p, spark.text);
    db_time(&p, now);
    db_text(&p, f->features);
    ret = spark.failed ? err_no_memory(e) : db_query(db, "profile_put", &p, NULL, e);
    strbuf_release(&spark);
    return ret;
}

/* One array literal a column. */
enum { COLUMNS = 17 };

static void add_kernel(struct strbuf c[COLUMNS], const struct kernel_facts *k)
{
    int at = 0;

    db_array_add(&c[at++], k->name ? k->name : "");
    db_array_add(&c[at++], k->mangled_name);
    for (int i = 0; i < 3; i++)
        db_array_add_i64(&c[at++], k->grid[i]);
    for (int i = 0; i < 3; i++)
        db_array_add_i64(&c[at++], k->block[i]);
    db_array_add_i64(&c[at++], k->registers);
    db_array_add_i64(&c[at++], k->shared_bytes);
    db_array_add_i64(&c[at++], k->name_id);
    db_array_add_u64(&c[at++], k->calls);
    db_array_add_u64(&c[at++], k->total);
    db_array_add_double(&c[at++], k->mean);
    db_array_add_double(&c[at++], k->cov);
    db_array_add_u64(&c[at++], k->min);
    db_array_add_u64(&c[at++], k->max);
}

int repo_profile_kernels_put(struct db *db, const char *id, uint64_t first, const struct kernel_facts *kernels,
                             size_t count, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct strbuf c[COLUMNS];
    bool failed = false;
    int ret;

    for (int i = 0; i < COLUMNS; i++) {
        c[i] = (struct strbuf)STRBUF_INIT;
        db_array_begin(&c[i]);
    }
    for (size_t k = 0; k < count; k++)
        add_kernel(c, &kernels[k]);
    db_text(&p, id);
    db_u64(&p, first);
    for (int i = 0; i < COLUMNS; i++) {
        db_array_end(&c[i]);
        failed |= c[i].failed;
        db_text(&p, c[i].text);
    }
    ret = failed ? err_no_memory(e) : db_query(db, "profile_kernels_put", &p, NULL, e);
    for (int i = 0; i < COLUMNS; i++)
        strbuf_release(&c[i]);
    return ret;
}

int repo_profile_chunk_put(struct db *db, const char *id, uint64_t chunk, uint64_t rows,
                           const struct strbuf *columns, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, chunk);
    db_u64(&p, rows);
    db_bytes(&p, columns->text, columns->length);
    return db_query(db, "profile_chunk_put", &p, NULL, e);
}

int repo_profile_features_put(struct db *db, const char *id, const struct strbuf *bytes, struct err *e)
{
    struct db_params clear = DB_PARAMS_INIT;
    size_t piece = 0;

    db_text(&clear, id);
    if (db_query(db, "profile_features_clear", &clear, NULL, e) < 0)
        return -1;
    for (size_t at = 0; at < bytes->length; at += PIECE, piece++) {
        struct db_params p = DB_PARAMS_INIT;

        db_text(&p, id);
        db_u64(&p, piece);
        db_bytes(&p, bytes->text + at, bytes->length - at < PIECE ? bytes->length - at : PIECE);
        if (db_query(db, "profile_feature_put", &p, NULL, e) < 0)
            return -1;
    }
    return 0;
}

/* 1, or 0 when there is no such piece. */
static int add_piece(struct db *db, const char *id, uint64_t piece, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char *bytes = NULL;
    struct db_rows r;
    size_t n;
    int ret;

    db_text(&p, id);
    db_u64(&p, piece);
    if (db_query(db, "profile_feature", &p, &r, e) < 0)
        return -1;
    ret = r.count == 0 ? 0 : db_get_bytes(&r, 0, 0, &bytes, &n, e) < 0 ? -1 : 1;
    if (ret > 0)
        strbuf_add(out, bytes, n);
    free(bytes);
    db_rows_release(&r);
    return out->failed ? err_no_memory(e) : ret;
}

/* out NULL: only whether it is there. */
static int of_team(struct db *db, const char *stmt, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return out ? db_text_of(db, stmt, &p, out, e) : db_any(db, stmt, &p, e);
}

struct pieces {
    const char *id;
    struct strbuf *out;
};

/* All pieces of one text, also while another is being put. */
static int add_pieces(struct db *db, void *ctx, struct err *e)
{
    const struct pieces *all = ctx;
    struct db_params p = DB_PARAMS_INIT;
    int more = 1;

    strbuf_clear(all->out);
    db_text(&p, all->id);
    if (db_query(db, "profile_features_hold", &p, NULL, e) < 0)
        return -1;
    for (uint64_t piece = 0; more > 0; piece++)
        more = add_piece(db, all->id, piece, all->out, e);
    return more;
}

int repo_profile_features(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    struct pieces all = {id, out};

    return db_part(db, add_pieces, &all, e);
}

int repo_profile_sha256(struct db *db, const char *id, int64_t team, char *out, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int found = of_team(db, "profile_sha256", id, team, &text, e);

    if (found > 0)
        snprintf(out, SHA256_HEX, "%s", text.text);
    strbuf_release(&text);
    return found;
}

int repo_profile_featured(struct db *db, const char *id, const char *before, const char *after, const char *text,
                          struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int done;

    db_text(&p, id);
    db_text(&p, before);
    db_text(&p, after);
    db_text(&p, text);
    if (db_query(db, "profile_featured", &p, &r, e) < 0)
        return -1;
    done = r.affected > 0;
    db_rows_release(&r);
    return done;
}

int repo_profile_in_use(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, id);
    if (db_query(db, "profile_in_use", &p, &r, e) < 0)
        return -1;
    found = r.count;
    db_rows_release(&r);
    return found;
}

int repo_profile_ready(struct db *db, const char *id, const char *workload, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, workload);
    return db_query(db, "profile_ready", &p, NULL, e);
}

int repo_profile_get(struct db *db, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, "profile_get", &p, out, e);
}

int repo_profile_kernels(struct db *db, const char *id, uint64_t first, uint64_t most, struct db_rows *out,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, first);
    db_u64(&p, most);
    return db_query(db, "profile_kernels", &p, out, e);
}

int repo_profile_chunk(struct db *db, const char *id, uint64_t chunk, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, chunk);
    return db_query(db, "profile_chunk", &p, out, e);
}

int repo_profile_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    return of_team(db, "profile_json", id, team, out, e);
}

int repo_profile_of_team(struct db *db, const char *id, int64_t team, struct err *e)
{
    return of_team(db, "profile_of_team", id, team, NULL, e);
}

int repo_profile_kernels_json(struct db *db, const char *id, const char *after_total, const char *after_index,
                              uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, after_total);
    db_text(&p, after_index);
    db_u64(&p, limit);
    return db_query(db, "profile_kernels_json", &p, out, e);
}
