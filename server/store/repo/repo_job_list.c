#include "server/store/repo/repo_job_list.h"

#include <string.h>

#include "base/assert.h"
#include "server/store/repo/sql/statements.h"

/* The statement for the filter; of->state is a state of a job or NULL. */
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
    return db_query(db, list_of(of), &p, out, e);
}

int repo_job_json(struct db *db, const char *job, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_text_of(db, &sql_job_json, &p, out, e);
}
