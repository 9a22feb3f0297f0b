#include "server/store/repo/repo_workload.h"

#include <stdio.h>

/* What a list shows of a profile p. */
#define PROFILE_ROW                                                                                                \
    "json_build_object('id', p.id, 'format', p.format, 'unit', p.unit, 'invocations', p.invocations, 'kernels',"   \
    " p.kernels, 'kernel_shapes', p.kernel_shapes, 'total', p.total::text,"                                        \
    " 'total_s', CASE WHEN p.unit = 'ns' THEN p.total::double precision / 1e9 END, 'gpu_name', p.gpu_name, "       \
    "'spark', p.spark, 'uploaded_by', (SELECT i.uploaded_by FROM import i WHERE i.id = p.import_id))"
#define TIME_TEXT "to_char(w.created_at, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
#define WORKLOAD_ROW                                                                                               \
    "SELECT w.id, w.name, " TIME_TEXT ","                                                                          \
    " (SELECT " PROFILE_ROW                                                                                        \
    " FROM profile p WHERE p.workload_id = w.id AND p.ready ORDER BY p.created_at DESC LIMIT 1),"                  \
    " workload_state(w.id), w.archived_at IS NOT NULL FROM workload w"

/* A total may pass what a double tells apart, so its digits are the key. */
#define TOTAL_TEXT     "CASE WHEN p.unit = 'ns' THEN lpad(p.total::text, 30, '0') END"
#define BY_NAME        LIST_BY("name", LIST_TEXT("w.name"))
#define BY_CREATED     LIST_BY("created", TIME_TEXT)
#define BY_KERNELS     LIST_BY("kernels", LIST_NUMBER("p.kernels"))
#define BY_INVOCATIONS LIST_BY("invocations", LIST_NUMBER("p.invocations"))
#define BY_TOTAL       LIST_BY("total", TOTAL_TEXT)
#define BY_COLUMN      BY_NAME BY_CREATED BY_KERNELS BY_INVOCATIONS BY_TOTAL
#define WORKLOAD_KEY   LIST_KEY_SQL("CASE $9::text" BY_COLUMN " END", "$10")
#define WORKLOAD_PAGE  LIST_PAGE("$8::uuid[]", "$10", "$3", "$4", "$5")
#define SHOWN                                                                                                      \
    " WHERE w.team_id = $1::bigint AND ($2::text = '' OR strpos(lower(w.name), lower($2::text)) > 0)"              \
    "   AND (w.archived_at IS NOT NULL) = $6::boolean"                                                             \
    "   AND ($7::text = '' OR workload_state(w.id) = $7::text)"

extern const struct db_stmt repo_workload_stmts[];
const struct db_stmt repo_workload_stmts[] = {
    {"workload_named", "INSERT INTO workload (id, team_id, name, created_at)"
                       " VALUES ($1::uuid, $2::bigint, $3::text, $4::timestamptz)"
                       " ON CONFLICT (team_id, name) DO UPDATE SET archived_at = NULL RETURNING id"},
    {"workload_list",
     WORKLOAD_ROW SHOWN "   AND ($3::text = '' OR (w.id <> ALL ($8::uuid[]) AND (w.created_at, w.id) <"
                        "        (nullif($3::text, '')::timestamptz, nullif($4::text, '')::uuid)))"
                        " ORDER BY w.id = ANY ($8::uuid[]) DESC, w.created_at DESC, w.id DESC LIMIT $5::bigint"},
    {"workload_sorted",
     "WITH k AS (SELECT w.id, " WORKLOAD_KEY " AS key FROM workload w LEFT JOIN LATERAL (SELECT * FROM profile x"
     "  WHERE x.workload_id = w.id AND x.ready ORDER BY x.created_at DESC LIMIT 1) p ON true" SHOWN
     ")," WORKLOAD_PAGE " SELECT r.*, page.key FROM page JOIN LATERAL (" WORKLOAD_ROW
     " WHERE w.id = page.id) r ON true ORDER BY place"},
    {"workload_get", WORKLOAD_ROW " WHERE w.id = $1::uuid AND w.team_id = $2::bigint"},
    {"workload_profiles",
     "SELECT coalesce(json_agg(" PROFILE_ROW " ORDER BY p.created_at DESC), '[]') FROM profile p"
     " WHERE p.workload_id = $1::uuid AND p.ready"},
    {"workload_change",
     "UPDATE workload SET name = coalesce($3::text, name), archived_at = CASE $4::boolean WHEN true THEN"
     " coalesce(archived_at, $5::timestamptz) WHEN false THEN NULL ELSE archived_at END"
     " WHERE id = $1::uuid AND team_id = $2::bigint"},
    {"workload_delete", "DELETE FROM workload WHERE id = $1::uuid AND team_id = $2::bigint"},
    {NULL, NULL},
};

int repo_workload_named(struct db *db, char *id, int64_t team, const char *name, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, name);
    db_time(&p, now);
    if (db_query(db, "workload_named", &p, &r, e) < 0)
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
        return db_query(db, "workload_list", &p, out, e);
    db_text(&p, ask->order.column);
    db_bool(&p, ask->order.largest_first);
    return db_query(db, "workload_sorted", &p, out, e);
}

int repo_workload_get(struct db *db, const char *id, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_query(db, "workload_get", &p, out, e);
}

int repo_workload_profiles(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_text_of(db, "workload_profiles", &p, out, e) < 0 ? -1 : 0;
}

/* 1 when there was one. */
static int touch_one(struct db *db, const char *statement, struct db_params *p, struct err *e)
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
    return touch_one(db, "workload_change", &p, e);
}

int repo_workload_delete(struct db *db, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return touch_one(db, "workload_delete", &p, e);
}
