#include "server/store/repo/repo_workload.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

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
        return db_query(db, &sql_workload_list, &p, out, e);
    db_text(&p, ask->order.column);
    db_bool(&p, ask->order.largest_first);
    return db_query(db, &sql_workload_sorted, &p, out, e);
}

int repo_workload_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_query(db, &sql_workload_get, &p, out, e);
}

int repo_workload_profiles(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_text_of(db, &sql_workload_profiles, &p, out, e) < 0 ? -1 : 0;
}

/* 1 when there was one. */
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
