#include "server/store/repo/repo_profile.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>
#include <stdlib.h>

static const struct db_field profile_fields[] = {
    FIELD_TEXT("id"),          FIELD_TEXT("workload"),        FIELD_TEXT("workload_name"),
    FIELD_TEXT("name"),        FIELD_TEXT("format"),          FIELD_TEXT("unit"),
    FIELD_TEXT("gpu_name"),    FIELD_NUMBER("launches"),      FIELD_NUMBER("zero_launches"),
    FIELD_NUMBER("kernels"),   FIELD_NUMBER("kernel_shapes"), FIELD_TEXT("total"),
    FIELD_NUMBER("total_s"),   FIELD_NUMBER("makespan_s"),    FIELD_NUMBER("devices"),
    FIELD_NUMBER("streams"),   FIELD_TEXT("sha256"),          FIELD_TEXT("features"),
    FIELD_TEXT("traces"),      FIELD_NUMBERS("spark"),        FIELD_JSON("report"),
    FIELD_TEXT("uploaded_by"), FIELD_TEXT("created_at"),      FIELDS_END};

static const struct db_field profile_kernels_fields[] = {
    FIELD_NUMBER("kernel"), FIELD_TEXT("name"),  FIELD_SHAPE("grid"),   FIELD_SHAPE("block"),
    FIELD_NUMBER("calls"),  FIELD_TEXT("total"), FIELD_NUMBER("mean"),  FIELD_NUMBER("cov"),
    FIELD_NUMBER("min"),    FIELD_NUMBER("max"), FIELD_NUMBER("share"), FIELDS_END};

#define PIECE ((size_t)8 << 20) /* bytes of features in one row */

int repo_profile_clear(struct db *db, const char *import_id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, import_id);
    return db_query(db, &sql_profile_clear, &p, NULL, e);
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
    db_u64(&p, f->launches);
    db_u64(&p, f->zero_launches);
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
    ret = spark.failed ? err_no_memory(e) : db_query(db, &sql_profile_put, &p, NULL, e);
    strbuf_release(&spark);
    return ret;
}

/* One array literal for each column. */
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
    ret = failed ? err_no_memory(e) : db_query(db, &sql_profile_kernels_put, &p, NULL, e);
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
    return db_query(db, &sql_profile_chunk_put, &p, NULL, e);
}

int repo_profile_features_put(struct db *db, const char *id, const struct strbuf *bytes, struct err *e)
{
    struct db_params clear = DB_PARAMS_INIT;
    size_t piece = 0;

    db_text(&clear, id);
    if (db_query(db, &sql_profile_features_clear, &clear, NULL, e) < 0)
        return -1;
    for (size_t at = 0; at < bytes->length; at += PIECE, piece++) {
        struct db_params p = DB_PARAMS_INIT;

        db_text(&p, id);
        db_u64(&p, piece);
        db_bytes(&p, bytes->text + at, bytes->length - at < PIECE ? bytes->length - at : PIECE);
        if (db_query(db, &sql_profile_feature_put, &p, NULL, e) < 0)
            return -1;
    }
    return 0;
}

/* Returns 1, or 0 when there is no such piece. */
static int add_piece(struct db *db, const char *id, uint64_t piece, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char *bytes = NULL;
    struct db_rows r;
    size_t n;
    int ret;

    db_text(&p, id);
    db_u64(&p, piece);
    if (db_query(db, &sql_profile_feature, &p, &r, e) < 0)
        return -1;
    ret = r.count == 0 ? 0 : db_get_bytes(&r, 0, 0, &bytes, &n, e) < 0 ? -1 : 1;
    if (ret > 0)
        strbuf_add(out, bytes, n);
    free(bytes);
    db_rows_release(&r);
    return out->failed ? err_no_memory(e) : ret;
}

/* out NULL: only checks whether the row exists. */
static int of_team(struct db *db, const struct db_stmt *stmt, const char *id, int64_t team, struct strbuf *out,
                   struct err *e)
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

/* Reads all pieces of one version of the text, even if another transaction replaces them. */
static int add_pieces(struct db *db, void *ctx, struct err *e)
{
    const struct pieces *all = ctx;
    struct db_params p = DB_PARAMS_INIT;
    int more = 1;

    strbuf_clear(all->out);
    db_text(&p, all->id);
    if (db_query(db, &sql_profile_features_hold, &p, NULL, e) < 0)
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
    int found = of_team(db, &sql_profile_sha256, id, team, &text, e);

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
    if (db_query(db, &sql_profile_featured, &p, &r, e) < 0)
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
    if (db_query(db, &sql_profile_in_use, &p, &r, e) < 0)
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
    return db_query(db, &sql_profile_ready, &p, NULL, e);
}

int repo_profile_get(struct db *db, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, &sql_profile_get, &p, out, e);
}

int repo_profile_kernels(struct db *db, const char *id, uint64_t first, uint64_t most, struct db_rows *out,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, first);
    db_u64(&p, most);
    return db_query(db, &sql_profile_kernels, &p, out, e);
}

int repo_profile_chunk(struct db *db, const char *id, uint64_t chunk, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_u64(&p, chunk);
    return db_query(db, &sql_profile_chunk, &p, out, e);
}

int repo_profile_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_json_of(db, &sql_profile_json, &p, profile_fields, out, e);
}

int repo_profile_of_team(struct db *db, const char *id, int64_t team, struct err *e)
{
    return of_team(db, &sql_profile_of_team, id, team, NULL, e);
}

int repo_profile_kernels_json(struct db *db, const char *id, const char *after_total, const char *after_index,
                              uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, after_total);
    db_text(&p, after_index);
    db_u64(&p, limit);
    return db_query_json(db, &sql_profile_kernels_json, &p, profile_kernels_fields, out, e);
}
