#include "server/store/repo/repo_search.h"

#include "server/store/repo/repo_design_sql.h"

/* Letters are compared, not patterns: a % is a %. */
#define HAS(what) "strpos(lower(" what "), lower($2::text)) > 0"
#define ITEM(kind, id, name, detail, kernel)                                                                       \
    "json_build_object('kind', '" kind "', 'id', " id ", 'name', " name ", 'detail', " detail                      \
    ", 'kernel', " kernel ")"
#define FIRST(order, item, rows)                                                                                   \
    "(SELECT " order " AS kind, row_number() OVER () AS place, item FROM (SELECT " item " AS item FROM " rows      \
    " LIMIT $3::bigint) x)"
#define FOUND(order, item, from, condition) FIRST(order, item, from " WHERE w.team_id = $1::bigint AND " condition)

#define OF_PROFILE "profile f JOIN workload w ON w.id = f.workload_id"

#define SHAPE "w.name || ', grid ' || array_to_string(k.grid, 'x')"
#define WORKLOADS                                                                                                  \
    FOUND("1", ITEM("workload", "w.id", "w.name", "''", "NULL"), "workload w",                                     \
          HAS("w.name") " ORDER BY w.created_at DESC, w.id DESC")
#define KERNELS                                                                                                    \
    FOUND("2", ITEM("kernel", "k.profile_id", "k.name", SHAPE, "k.index"),                                         \
          OF_PROFILE " JOIN kernel k ON k.profile_id = f.id",                                                      \
          "f.ready AND " HAS("k.name") " ORDER BY k.total DESC, k.profile_id, k.index")
#define PLANS                                                                                                      \
    FOUND("3", ITEM("plan", "p.id", "w.name", "p.method", "NULL"),                                                 \
          "plan p JOIN " OF_PROFILE " ON f.id = p.profile_id",                                                     \
          "(" HAS("w.name") " OR " HAS("p.method") " OR " HAS("p.id::text") ") ORDER BY p.id DESC")
#define RUNS                                                                                                       \
    FOUND("4", ITEM("run", "r.id", "w.name", "d.designs || ', ' || r.state", "NULL"),                              \
          "run r JOIN plan p ON p.id = r.plan_id JOIN " OF_PROFILE " ON f.id = p.profile_id"                       \
          " CROSS JOIN LATERAL (SELECT string_agg(name, ', ' ORDER BY number) AS designs FROM run_design"          \
          "                      WHERE run_id = r.id) d",                                                          \
          "(" HAS("w.name") " OR " HAS("d.designs") " OR " HAS("r.id::text") ") ORDER BY r.id DESC")

#define GPU_NAMES "array_to_string(d.gpu_names, ', ')"
#define SIZE      "concat_ws(', ', d.sms || CASE d.sms WHEN 1 THEN ' SM' ELSE ' SMs' END, nullif(" GPU_NAMES ", ''))"
#define DESIGNS                                                                                                    \
    FIRST("5", ITEM("design", "d.sha256", "d.name", SIZE, "NULL"),                                                 \
          DESIGN_NAMED " WHERE " HAS("d.name") " OR " HAS(GPU_NAMES) " ORDER BY d.builtin DESC, d.name")

extern const struct db_stmt repo_search_stmts[];
const struct db_stmt repo_search_stmts[] = {
    {"search", "SELECT json_build_object('items', coalesce(json_agg(item ORDER BY kind, place), '[]'))::text"
               "  FROM (" WORKLOADS " UNION ALL " KERNELS " UNION ALL " PLANS " UNION ALL " RUNS
               " UNION ALL " DESIGNS ") found"},
    {NULL, NULL},
};

int repo_search_json(struct db *db, int64_t team, const char *text, uint64_t each, struct strbuf *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, text);
    db_u64(&p, each);
    return db_text_of(db, "search", &p, out, e) < 0 ? -1 : 0;
}
