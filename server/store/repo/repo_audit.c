#include "server/store/repo/repo_audit.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field audit_fields[] = {FIELD_TEXT("at"),         FIELD_TEXT("team"),
                                               FIELD_TEXT("actor"),      FIELD_TEXT("credential"),
                                               FIELD_TEXT("address"),    FIELD_TEXT("action"),
                                               FIELD_TEXT("object"),     FIELD_NUMBER("outcome"),
                                               FIELD_TEXT("request_id"), FIELDS_END};

const char *const audit_columns[] = {"at",     "team",   "actor",   "credential", "address",
                                     "action", "object", "outcome", "request_id", NULL};

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
    return db_query(db, &sql_audit_put, &p, NULL, e);
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
    return db_query_json(db, &sql_audit_list, &p, audit_fields, out, e);
}

int repo_audit_expire(struct db *db, wall_us before, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, &sql_audit_expire, &p, NULL, e);
}
