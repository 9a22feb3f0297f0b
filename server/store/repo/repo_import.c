#include "server/store/repo/repo_import.h"

#include <stdio.h>

extern const struct db_stmt repo_import_stmts[];
const struct db_stmt repo_import_stmts[] = {
    {"import_of_upload", "SELECT id FROM import WHERE upload_id = $1::uuid ORDER BY created_at DESC LIMIT 1"},
    {"import_put",
     "INSERT INTO import (id, team_id, upload_id, name, workload, bytes, holder, created_at, uploaded_by)"
     " VALUES ($1::uuid, $2::bigint, $3::uuid, $4::text, $5::text, $6::bigint, $7::text, $8::timestamptz,"
     "   $9::text)"},
    {"import_open",
     "SELECT i.id, coalesce(i.upload_id::text, ''), i.name, i.workload, coalesce(u.sha256, ''), i.bytes,"
     "       i.team_id, coalesce(u.known, false)"
     "  FROM import i LEFT JOIN upload u ON u.id = i.upload_id"
     " WHERE i.id = $1::uuid AND i.state IN ('queued', 'reading')"},
    {"import_unfinished", "SELECT id FROM import WHERE holder = $1::text AND state IN ('queued', 'reading')"
                          " ORDER BY created_at"},
    {"import_progress", "UPDATE import SET state = 'reading', stage = $2::text, bytes_read = $3::bigint,"
                        "       rows_read = $4::bigint WHERE id = $1::uuid AND state IN ('queued', 'reading')"},
    {"import_upload_hash", "UPDATE upload SET sha256 = $2::text, known = true WHERE id = $1::uuid"},
    {"import_fail", "UPDATE import SET state = 'failed', problem = $2::json, report = $3::json,"
                    "       finished_at = $4::timestamptz WHERE id = $1::uuid AND state IN ('queued', 'reading')"},
    {"import_ready", "UPDATE import SET state = 'ready', stage = 'done', report = $2::json, rows_read = $3::bigint,"
                     "       bytes_read = bytes, finished_at = $4::timestamptz"
                     " WHERE id = $1::uuid AND state IN ('queued', 'reading')"},
    {"import_json",
     "SELECT json_build_object('id', i.id, 'upload', i.upload_id, 'name', i.name, 'state', i.state, 'stage', "
     "i.stage,"
     "       'bytes_read', i.bytes_read, 'bytes', i.bytes, 'rows', i.rows_read, 'workload', p.workload_id,"
     "       'profile', p.id, 'report', i.report, 'problem', i.problem)"
     "  FROM import i LEFT JOIN profile p ON p.import_id = i.id AND p.ready"
     " WHERE i.id = $1::uuid AND i.team_id = $2::bigint"},
    {NULL, NULL},
};

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
    if (db_query(db, "import_of_upload", &p, &r, e) < 0)
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
    return db_query(db, "import_put", &p, NULL, e);
}

int repo_import_open(struct db *db, const char *id, struct import *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int found;

    db_text(&p, id);
    if (db_query(db, "import_open", &p, &r, e) < 0)
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
    return db_query(db, "import_unfinished", &p, out, e);
}

int repo_import_progress(struct db *db, const char *id, const char *stage, uint64_t bytes_read, uint64_t rows_read,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, stage);
    db_u64(&p, bytes_read);
    db_u64(&p, rows_read);
    return db_query(db, "import_progress", &p, NULL, e);
}

int repo_import_upload_hash(struct db *db, const char *upload, const char *sha256, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, upload);
    db_text(&p, sha256);
    return db_query(db, "import_upload_hash", &p, NULL, e);
}

int repo_import_fail(struct db *db, const char *id, const char *problem, const char *report, wall_us now,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, problem);
    db_text(&p, report);
    db_time(&p, now);
    return db_query(db, "import_fail", &p, NULL, e);
}

int repo_import_ready(struct db *db, const char *id, const char *report, uint64_t rows, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, report);
    db_u64(&p, rows);
    db_time(&p, now);
    return db_query(db, "import_ready", &p, NULL, e);
}

int repo_import_json(struct db *db, const char *id, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    return db_text_of(db, "import_json", &p, out, e);
}
