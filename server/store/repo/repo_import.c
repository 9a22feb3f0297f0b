#include "server/store/repo/repo_import.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdio.h>

static const struct db_field import_fields[] = {FIELD_TEXT("id"),
                                                FIELD_TEXT("upload"),
                                                FIELD_TEXT("name"),
                                                FIELD_TEXT("state"),
                                                FIELD_TEXT("stage"),
                                                FIELD_NUMBER("bytes_read"),
                                                FIELD_NUMBER("bytes"),
                                                FIELD_NUMBER("rows"),
                                                FIELD_TEXT("workload"),
                                                FIELD_TEXT("profile"),
                                                FIELD_JSON("report"),
                                                FIELD_JSON("problem"),
                                                FIELDS_END};

static void copy(char *to, size_t size, const struct db_rows *r, int col)
{
    snprintf(to, size, "%s", db_get(r, 0, col));
}

int repo_import_of_upload(struct db *db, const char *upload, char id[UUID_TEXT], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, upload);
    if (db_query(db, &sql_import_of_upload, &p, &r, e) < 0)
        return -1;
    found = r.count;
    if (found)
        copy(id, UUID_TEXT, &r, 0);
    db_rows_release(&r);
    return found;
}

int repo_import_put(struct db *db, const char *id, int64_t team, const struct upload *u, const char *by,
                    const char *holder, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, u->id);
    db_text(&p, u->name);
    db_text(&p, u->workload);
    db_u64(&p, u->bytes);
    db_text(&p, holder);
    db_time(&p, now);
    db_text(&p, by);
    return db_query(db, &sql_import_put, &p, NULL, e);
}

int repo_import_open(struct db *db, const char *id, struct import *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, id);
    if (db_query(db, &sql_import_open, &p, &r, e) < 0)
        return -1;
    found = r.count;
    if (found) {
        copy(out->id, sizeof out->id, &r, 0);
        copy(out->upload, sizeof out->upload, &r, 1);
        copy(out->name, sizeof out->name, &r, 2);
        copy(out->workload, sizeof out->workload, &r, 3);
        copy(out->sha256, sizeof out->sha256, &r, 4);
        out->bytes = db_get_u64(&r, 0, 5);
        out->team = db_get_i64(&r, 0, 6);
        out->known = db_get_bool(&r, 0, 7);
    }
    db_rows_release(&r);
    return found;
}

int repo_import_unfinished(struct db *db, const char *holder, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, holder);
    return db_query(db, &sql_import_unfinished, &p, out, e);
}

int repo_import_progress(struct db *db, const char *id, const char *stage, uint64_t bytes_read, uint64_t rows_read,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, stage);
    db_u64(&p, bytes_read);
    db_u64(&p, rows_read);
    return db_query(db, &sql_import_progress, &p, NULL, e);
}

int repo_import_upload_hash(struct db *db, const char *upload, const char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, upload);
    db_text(&p, sha256);
    return db_query(db, &sql_import_upload_hash, &p, NULL, e);
}

int repo_import_fail(struct db *db, const char *id, const char *problem, const char *report, wall_us now,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, problem);
    db_text(&p, report);
    db_time(&p, now);
    return db_query(db, &sql_import_fail, &p, NULL, e);
}

int repo_import_ready(struct db *db, const char *id, const char *report, uint64_t rows, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, report);
    db_u64(&p, rows);
    db_time(&p, now);
    return db_query(db, &sql_import_ready, &p, NULL, e);
}

int repo_import_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_json_of(db, &sql_import_json, &p, import_fields, out, e);
}
