#include "server/store/repo/repo_audit.h"

#define COLUMNS                                                                                                    \
    "to_char(a.at, 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') AS at, coalesce(t.slug, '') AS team, a.actor,"             \
    " a.credential, a.address, a.action, a.object, a.outcome, a.request_id"

const char *const audit_columns[] = {"at",     "team",   "actor",   "credential", "address",
                                     "action", "object", "outcome", "request_id", NULL};

extern const struct db_stmt repo_audit_stmts[];
const struct db_stmt repo_audit_stmts[] = {
    {"audit_put",
     "INSERT INTO audit (at, team_id, actor, credential, address, action, object, outcome, request_id)"
     " VALUES ($1::timestamptz, nullif($2::bigint, 0), $3::text, $4::text, $5::text, $6::text, $7::text,"
     "         $8::smallint, $9::text)"},
    {"audit_list",
     "SELECT row_to_json(r)::text, x.id, r.* FROM"
     "  (SELECT id FROM audit WHERE ($1::bigint = 0 OR team_id = $1::bigint)"
     "      AND ($2::text IS NULL OR action = $2::text) AND ($3::timestamptz IS NULL OR at >= $3::timestamptz)"
     "      AND id < coalesce(nullif($4::text, ''), '9223372036854775807')::bigint"
     "    ORDER BY id DESC LIMIT $5::bigint) x,"
     "  LATERAL (SELECT " COLUMNS " FROM audit a LEFT JOIN team t ON t.id = a.team_id WHERE a.id = x.id) r"
     " ORDER BY x.id DESC"},
    {"audit_expire", "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT 1000)"
                     "   AND at < $1::timestamptz"},
    {NULL, NULL},
};

int repo_audit_put(struct db *db, const struct audit_row *row, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, row->at);
    db_i64(&p, row->team);
    db_text(&p, row->actor);
    db_text(&p, row->credential);
    db_text(&p, row->address);
    db_text(&p, row->action);
    db_text(&p, row->object);
    db_i64(&p, row->outcome);
    db_text(&p, row->request_id);
    return db_query(db, "audit_put", &p, NULL, e);
}

int repo_audit_list(struct db *db, int64_t team, const char *action, const char *since, const char *after,
                    uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, action);
    db_text(&p, since);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query(db, "audit_list", &p, out, e);
}

int repo_audit_expire(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, "audit_expire", &p, NULL, e);
}
