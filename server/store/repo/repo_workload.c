#include "server/store/repo/repo_workload.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

static const struct db_field profile_row_fields[] = {
    FIELD_TEXT("id"),        FIELD_TEXT("format"),          FIELD_TEXT("unit"),        FIELD_NUMBER("launches"),
    FIELD_NUMBER("kernels"), FIELD_NUMBER("kernel_shapes"), FIELD_TEXT("total"),       FIELD_NUMBER("total_s"),
    FIELD_TEXT("gpu_name"),  FIELD_NUMBERS("spark"),        FIELD_TEXT("uploaded_by"), FIELDS_END};

int repo_workload_named(struct db *db, char *id, int64_t team, const char *name, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, name);
    db_time(&p, now);
    if (db_query(db, &sql_workload_named, &p, &r, e) < 0)
        return -1;
    snprintf(id, UUID_TEXT, "%s", db_get(&r, 0, 0));
    db_rows_release(&r);
    return 0;
}

/* Converts the fourth column, a profile, to JSON. */
static int with_profiles(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct db_rows *out,
                         struct err *e)
{
    return db_query(db, stmt, p, out, e) < 0 ? -1 : db_json_column(out, 3, profile_row_fields, e);
}

int repo_workload_list(struct db *db, int64_t team, const struct workload_ask *ask, struct db_rows *out,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, ask->like);
    db_text(&p, ask->order.key);
    db_text(&p, ask->order.id);
    db_u64(&p, ask->order.limit);
    db_bool(&p, ask->archived);
    db_text(&p, ask->state);
    db_text(&p, ask->first);
    if (!ask->order.column[0])
        return with_profiles(db, &sql_workload_list, &p, out, e);
    db_text(&p, ask->order.column);
    db_bool(&p, ask->order.largest_first);
    return with_profiles(db, &sql_workload_sorted, &p, out, e);
}

int repo_workload_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return with_profiles(db, &sql_workload_get, &p, out, e);
}

int repo_workload_profiles(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_json_list_of(db, &sql_workload_profiles, &p, profile_row_fields, out, e);
}

/* Returns 1 when the workload existed. */
static int touch_one(struct db *db, const struct db_stmt *statement, struct db_params *p, struct err *e)
{
    struct db_rows r;
    int64_t touched;

    if (db_query(db, statement, p, &r, e) < 0)
        return -1;
    touched = r.affected;
    db_rows_release(&r);
    return touched > 0;
}

int repo_workload_change(struct db *db, const char *id, int64_t team, const char *name, const bool *archived,
                         wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, name);
    db_text(&p, !archived ? NULL : *archived ? "true" : "false");
    db_time(&p, now);
    return touch_one(db, &sql_workload_change, &p, e);
}

int repo_workload_delete(struct db *db, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return touch_one(db, &sql_workload_delete, &p, e);
}
