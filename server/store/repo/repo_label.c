#include "server/store/repo/repo_label.h"

#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field dependent_fields[] = {FIELD_TEXT("kind"), FIELD_TEXT("id"), FIELD_TEXT("name"),
                                                   FIELD_TEXT("state"), FIELDS_END};

int repo_label_change(struct db *db, enum labelled what, const char *id, int64_t team, const struct label_change *c,
                      wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    db_text(&p, c->name);
    db_text(&p, c->tags);
    db_text(&p, c->note);
    db_text(&p, !c->archived ? NULL : *c->archived ? "true" : "false");
    db_time(&p, now);
    return db_any(db, what == LABELLED_RUN ? &sql_label_run_change : &sql_label_plan_change, &p, e);
}

int repo_label_dependents(struct db *db, enum labelled what, const char *id, int64_t team, wall_us now,
                          struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    db_time(&p, now);
    return db_json_list_of(db, what == LABELLED_RUN ? &sql_label_run_dependents : &sql_label_plan_dependents, &p,
                           dependent_fields, out, e);
}

static int lock_plan(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_any(db, &sql_label_plan_lock, &p, e) < 0 ? -1 : 0;
}

int repo_label_delete(struct db *db, enum labelled what, const char *id, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, team);
    if (repo_job_long_work(db, e) < 0)
        return -1;
    if (what == LABELLED_RUN)
        return db_any(db, &sql_label_run_delete, &p, e);
    if (lock_plan(db, id, e) < 0)
        return -1;
    return db_any(db, &sql_label_plan_delete_runs, &p, e) < 0 ? -1 : db_any(db, &sql_label_plan_delete, &p, e);
}
