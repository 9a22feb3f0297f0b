#include "server/store/repo/repo_share.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>
#include <string.h>

static const struct db_field share_list_fields[] = {FIELD_TEXT("id"),
                                                    FIELD_TEXT("kind"),
                                                    FIELD_TEXT("object"),
                                                    FIELD_TEXT("name"),
                                                    FIELD_BOOL("hide_names"),
                                                    FIELD_TEXT("frozen_at"),
                                                    FIELD_TEXT("made_by"),
                                                    FIELD_TEXT("created_at"),
                                                    FIELD_TEXT("expires_at"),
                                                    FIELD_NUMBER("opened"),
                                                    FIELD_TEXT("opened_at"),
                                                    FIELD_JSON("question"),
                                                    FIELDS_END};

int repo_share_put(struct db *db, const struct share_row *s, int64_t *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    db_text(&p, s->id);
    db_i64(&p, s->team);
    db_bytes(&p, s->sha256, SHA256_BYTES);
    db_text(&p, s->kind);
    db_text(&p, s->object);
    db_text(&p, s->name);
    db_bool(&p, s->hide_names);
    db_bool(&p, s->frozen);
    db_text(&p, s->made_by);
    db_time(&p, s->created_at);
    db_time(&p, s->expires_at);
    db_text(&p, s->question);
    db_text(&p, s->runs);
    if (db_query(db, &sql_share_put, &p, &r, e) < 0)
        return -1;
    *id = db_get_i64(&r, 0, 0);
    db_rows_release(&r);
    return 0;
}

int repo_share_by_secret(struct db *db, const unsigned char sha256[SHA256_BYTES], wall_us now,
                         struct credential *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    memset(out, 0, sizeof *out);
    db_bytes(&p, sha256, SHA256_BYTES);
    db_time(&p, now);
    if (db_query(db, &sql_share_by_secret, &p, &r, e) < 0)
        return -1;
    found = r.count > 0;
    if (found) {
        out->valid = out->by_cookie = true;
        out->scopes = 1u << SCOPE_READ;
        out->role = ROLE_VIEWER;
        out->share.id = db_get_i64(&r, 0, 0);
        out->team_id = db_get_i64(&r, 0, 1);
        snprintf(out->share.kind, sizeof out->share.kind, "%s", db_get(&r, 0, 2));
        snprintf(out->share.object, sizeof out->share.object, "%s", db_get(&r, 0, 3));
        snprintf(out->name, sizeof out->name, "%s", db_get(&r, 0, 4));
        out->share.hide_names = db_get_bool(&r, 0, 5);
        out->share.frozen = db_get_bool(&r, 0, 6);
    }
    db_rows_release(&r);
    return found;
}

int repo_share_opened(struct db *db, int64_t share, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    db_time(&p, now);
    return db_query(db, &sql_share_opened, &p, NULL, e);
}

int repo_share_times(struct db *db, int64_t share, struct share_times *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;

    memset(out, 0, sizeof *out);
    db_i64(&p, share);
    if (db_query(db, &sql_share_times, &p, &r, e) < 0)
        return -1;
    if (r.count) {
        snprintf(out->expires_at, sizeof out->expires_at, "%s", db_get(&r, 0, 0));
        snprintf(out->frozen_at, sizeof out->frozen_at, "%s", db_get(&r, 0, 1));
        snprintf(out->discarded_at, sizeof out->discarded_at, "%s", db_get(&r, 0, 2));
    }
    db_rows_release(&r);
    return 0;
}

int repo_share_list(struct db *db, int64_t team, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, after);
    db_u64(&p, limit);
    return db_query_json(db, &sql_share_list, &p, share_list_fields, out, e);
}

int repo_share_delete(struct db *db, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_any(db, &sql_share_delete, &p, e);
}

int repo_share_run_of_plan(struct db *db, const char *run, const char *plan, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, plan);
    return db_any(db, &sql_share_run_of_plan, &p, e);
}

int repo_share_question(struct db *db, int64_t share, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    return db_text_of(db, &sql_share_question, &p, out, e);
}

int repo_share_document_put(struct db *db, int64_t share, const char *address, const char *body, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    db_text(&p, address);
    db_text(&p, body);
    return db_query(db, &sql_share_document_put, &p, NULL, e);
}

int repo_share_document(struct db *db, int64_t share, const char *address, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, share);
    db_text(&p, address);
    return db_text_of(db, &sql_share_document, &p, out, e);
}
