#include "server/store/repo/repo_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field trace_missing_fields[] = {
    FIELD_NUMBER("launch"), FIELD_NUMBER("stratum"), FIELD_NUMBER("context"), FIELD_NUMBER("launch_order"),
    FIELD_TEXT("kernel"),   FIELD_SHAPE("grid"),     FIELD_SHAPE("block"),    FIELDS_END};

static const struct db_field trace_bindings_fields[] = {FIELD_NUMBER("launch"), FIELD_TEXT("trace"),
                                                        FIELD_NUMBER("warp_instructions"), FIELDS_END};

static const struct db_field trace_fields[] = {FIELD_NUMBER("samples"),
                                               FIELD_NUMBER("bound"),
                                               FIELD_NUMBER("missing_count"),
                                               FIELD_NUMBER("in_file"),
                                               FIELD_ROWS_OR_EMPTY("missing", trace_missing_fields),
                                               FIELD_ROWS_OR_EMPTY("bindings", trace_bindings_fields),
                                               FIELD_TEXTS_OR_EMPTY("waiting"),
                                               FIELDS_END};

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
    return db_query(db, &sql_trace_put, &p, NULL, e);
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
    if (db_query(db, &sql_trace_find, &p, &q, e) < 0)
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

    *out = (struct sampled_launch){.launch = 0};
    db_text(&p, plan);
    db_i64(&p, (int64_t)context);
    db_i64(&p, (int64_t)order);
    if (db_query(db, &sql_trace_launch, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->launch = (uint64_t)db_get_i64(&q, 0, 0);
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
    *l = (struct sampled_launch){.launch = 0};
}

int repo_trace_bind(struct db *db, const char *profile, uint64_t launch, const char *sha256, wall_us now,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, profile);
    db_i64(&p, (int64_t)launch);
    db_text(&p, sha256);
    db_time(&p, now);
    return db_query(db, &sql_trace_bind, &p, NULL, e);
}

static int two_numbers(struct db *db, const struct db_stmt *stmt, const char *plan, int64_t *a, int64_t *b,
                       struct err *e)
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
    return two_numbers(db, &sql_trace_contexts, plan, out, NULL, e);
}

int repo_trace_unbound(struct db *db, const char *plan, const char *launches, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, plan);
    db_text(&p, launches);
    if (db_query(db, &sql_trace_unbound, &p, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_trace_missing(struct db *db, const char *plan, int64_t *samples, int64_t *missing, struct err *e)
{
    return two_numbers(db, &sql_trace_missing, plan, samples, missing, e);
}

int repo_trace_json(struct db *db, const char *plan, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    return db_json_of(db, &sql_trace_json, &p, trace_fields, out, e) < 0 ? -1 : 0;
}

int repo_trace_bound(struct db *db, const char *plan, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    return db_query(db, &sql_trace_bound, &p, out, e);
}
