#include "server/store/repo/repo_job_list.h"

#include <string.h>

#include "base/assert.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field job_failure_fields[] = {FIELD_TEXT("class"), FIELD_TEXT("detail"), FIELDS_END};

#define JOB_FIELDS                                                                                                 \
    FIELD_TEXT("id"), FIELD_TEXT("run"), FIELD_NUMBER("launch"), FIELD_NUMBER("stratum"), FIELD_TEXT("design"),    \
        FIELD_TEXT("state"), FIELD_NUMBER("attempt"), FIELD_BOOL("cached"), FIELD_TEXT("waits_on"),                \
        FIELD_TEXT("worker"), FIELD_ROW("failure", job_failure_fields), FIELD_BOOL("dropped"),                     \
        FIELD_TEXT("ready_at"), FIELD_TEXT("deadline_at"), FIELD_TEXT("finished_at"), FIELD_TEXT("trace"),         \
        FIELD_TEXT("result")

static const struct db_field job_list_fields[] = {JOB_FIELDS, FIELDS_END};

static const struct db_field job_attempts_fields[] = {FIELD_NUMBER("number"),
                                                      FIELD_TEXT("worker"),
                                                      FIELD_TEXT("started_at"),
                                                      FIELD_TEXT("ended_at"),
                                                      FIELD_TEXT("outcome"),
                                                      FIELD_TEXT("message"),
                                                      FIELD_TEXT("last_lines"),
                                                      FIELD_NUMBER("host_seconds"),
                                                      FIELD_NUMBER("cpu_seconds"),
                                                      FIELD_NUMBER("peak_bytes"),
                                                      FIELDS_END};

static const struct db_field job_fields[] = {JOB_FIELDS, FIELD_ROWS_OR_EMPTY("attempts", job_attempts_fields),
                                             FIELDS_END};

/* Selects the statement for the filter. of->state: a state of a job, or NULL. */
static const struct db_stmt *list_of(const struct job_filter *of)
{
    static const struct {
        const char *state;
        const struct db_stmt *stmt;
    } lists[] = {{"blocked", &sql_job_list_blocked}, {"ready", &sql_job_list_ready},
                 {"leased", &sql_job_list_leased},   {"done", &sql_job_list_done},
                 {"failed", &sql_job_list_failed},   {"cancelled", &sql_job_list_cancelled}};

    if (of->worker)
        return &sql_job_list_of_worker;
    for (size_t i = 0; of->state && i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].state, of->state) == 0)
            return lists[i].stmt;
    ASSERT(!of->state);
    return &sql_job_list;
}

int repo_job_list(struct db *db, const char *run, const struct job_filter *of, int64_t after, uint64_t limit,
                  struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, of->design);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    db_i64(&p, of->stratum);
    if (of->worker) {
        db_text(&p, of->worker);
        db_text(&p, of->state);
    }
    return db_query_json(db, list_of(of), &p, job_list_fields, out, e);
}

int repo_job_json(struct db *db, const char *job, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_json_of(db, &sql_job_json, &p, job_fields, out, e);
}
