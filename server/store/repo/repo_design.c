#include "server/store/repo/repo_design.h"

#include <stdio.h>

#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field design_list_fields[] = {FIELD_TEXT("id"),
                                                     FIELD_TEXT("name"),
                                                     FIELD_BOOL("builtin"),
                                                     FIELD_NUMBER("clock_hz"),
                                                     FIELD_NUMBER("sms"),
                                                     FIELD_TEXTS("gpu_names"),
                                                     FIELDS_END};

int repo_design_put(struct db *db, const struct design_row *row, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->sha256);
    db_text(&p, row->name);
    db_bool(&p, row->builtin);
    db_double(&p, row->clock_hz);
    db_i64(&p, row->sms);
    db_text(&p, row->gpu_names);
    db_text(&p, row->json);
    db_time(&p, now);
    return db_query(db, &sql_design_put, &p, NULL, e);
}

int repo_design_own(struct db *db, const char *sha256, int64_t team, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int fresh;

    db_i64(&p, team);
    db_text(&p, sha256);
    db_time(&p, now);
    if (db_query(db, &sql_design_own, &p, &q, e) < 0)
        return -1;
    fresh = q.count > 0 && db_get_bool(&q, 0, 0);
    db_rows_release(&q);
    return fresh;
}

static int find(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct design_row *row,
                struct strbuf *text, struct err *e)
{
    struct db_rows q;
    int found;

    *row = (struct design_row){.builtin = false};
    if (db_query(db, stmt, p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(row->sha256, sizeof row->sha256, "%s", db_get(&q, 0, 0));
        snprintf(row->name, sizeof row->name, "%s", db_get(&q, 0, 1));
        row->clock_hz = db_get_double(&q, 0, 2);
        row->sms = db_get_i64(&q, 0, 3);
        if (text)
            strbuf_adds(text, db_get(&q, 0, 4));
    }
    db_rows_release(&q);
    return text && text->failed ? err_no_memory(e) : found;
}

int repo_design_find(struct db *db, const char *hash_or_name, int64_t team, struct design_row *row,
                     struct strbuf *text, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, hash_or_name);
    return find(db, &sql_design_find, &p, row, text, e);
}

int repo_design_by_hash(struct db *db, const char *sha256, struct design_row *row, struct strbuf *text,
                        struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, sha256);
    return find(db, &sql_design_by_hash, &p, row, text, e);
}

int repo_design_builtin(struct db *db, const char *name, char sha256[SHA256_HEX], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, name);
    if (db_query(db, &sql_design_builtin, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        snprintf(sha256, SHA256_HEX, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}

int repo_design_outnamed(struct db *db, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    return db_query(db, &sql_design_outnamed, &p, out, e);
}

int repo_design_list(struct db *db, int64_t team, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    return db_query_json(db, &sql_design_list, &p, design_list_fields, out, e);
}
