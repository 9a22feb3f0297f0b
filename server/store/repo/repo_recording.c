#include "server/store/repo/repo_recording.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#include <stdlib.h>
#include <string.h>

static const struct db_field recording_fields[] = {FIELD_TEXT("state"),
                                                   FIELD_TEXT("asked_by"),
                                                   FIELD_TEXT("asked_at"),
                                                   FIELD_TEXT("finished_at"),
                                                   FIELD_NUMBER("bytes"),
                                                   FIELD_TEXT("why"),
                                                   FIELDS_END};

int repo_recording_ask(struct db *db, const char *result, const char *by, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    db_text(&p, by);
    db_time(&p, now);
    return db_any(db, &sql_recording_ask, &p, e);
}

int repo_recording_json(struct db *db, const char *result, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, result);
    return db_json_of(db, &sql_recording_json, &p, recording_fields, out, e);
}

int repo_recording_bytes(struct db *db, const char *result, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char *bytes = NULL;
    struct db_rows q;
    size_t n = 0;
    int found;

    db_text(&p, result);
    if (db_query(db, &sql_recording_bytes, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found && db_get_bytes(&q, 0, 0, &bytes, &n, e) < 0)
        found = -1;
    db_rows_release(&q);
    if (found > 0)
        strbuf_add(out, bytes, n);
    free(bytes);
    return out->failed ? err_no_memory(e) : found;
}

int repo_recording_leased(struct db *db, const char *task, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e)
{
    return repo_task_held(db, &sql_recording_leased, task, attempt, session, out, e);
}

int repo_recording_end(struct db *db, const struct task_end *end, const void *bytes, size_t n, wall_us now,
                       struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    task_end_params(&p, end, now);
    if (bytes)
        db_bytes(&p, bytes, n);
    else
        db_text(&p, NULL);
    return db_query(db, &sql_recording_end, &p, NULL, e);
}
