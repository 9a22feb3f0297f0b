#include "server/store/repo/repo_discard.h"

#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_archive.h"
#include "server/store/repo/sql/statements.h"

static const struct db_field discard_cost_workers_fields[] = {FIELD_TEXT("worker"), FIELD_TEXT("simulator"),
                                                              FIELD_NUMBER("results"), FIELDS_END};

static const struct db_field discard_cost_fields[] = {FIELD_NUMBER("results"),
                                                      FIELD_NUMBER("jobs"),
                                                      FIELD_NUMBER("runs"),
                                                      FIELD_NUMBER("runs_over"),
                                                      FIELD_NUMBER("teams"),
                                                      FIELD_TEXT("first_at"),
                                                      FIELD_TEXT("last_at"),
                                                      FIELD_NUMBER("frozen_links"),
                                                      FIELD_ROWS_OR_EMPTY("workers", discard_cost_workers_fields),
                                                      FIELDS_END};

/* Of discard_row. */
#define DISCARD_FIELDS                                                                                             \
    FIELD_TEXT("id"), FIELD_TEXT("at"), FIELD_TEXT("by"), FIELD_TEXT("why"), FIELD_JSON("chosen"),                 \
        FIELD_NUMBER("results"), FIELD_NUMBER("jobs"), FIELD_NUMBER("runs")

static const struct db_field discard_list_fields[] = {DISCARD_FIELDS, FIELDS_END};

static const struct db_field discard_answer_fields[] = {FIELD_TEXT("design"), FIELD_NUMBER("change"),
                                                        FIELD_NUMBER("half_width_before"), FIELD_BOOL("outside"),
                                                        FIELDS_END};

static const struct db_field discard_run_fields[] = {FIELD_TEXT("run"),
                                                     FIELD_TEXT("team"),
                                                     FIELD_TEXT("state"),
                                                     FIELD_NUMBER("jobs"),
                                                     FIELD_NUMBER("jobs_done"),
                                                     FIELD_ROWS_OR_EMPTY("answers", discard_answer_fields),
                                                     FIELDS_END};

static const struct db_field discard_one_fields[] = {DISCARD_FIELDS,
                                                     FIELD_NUMBER("jobs_done"),
                                                     FIELD_NUMBER("jobs_open"),
                                                     FIELD_NUMBER("jobs_failed"),
                                                     FIELD_ROWS_OR_EMPTY("workers", discard_cost_workers_fields),
                                                     FIELD_ROWS_OR_EMPTY("used_by", discard_run_fields),
                                                     FIELDS_END};

int repo_discard_choose(struct db *db, const struct discard_choice *c, struct strbuf *ids, int64_t *count,
                        struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, c->worker);
    db_text(&p, c->simulator);
    db_text(&p, c->from);
    db_text(&p, c->to);
    db_text(&p, c->result);
    db_i64(&p, DISCARD_MAX + 1);
    db_bool(&p, c->quarantined);
    if (db_query(db, &sql_discard_choose, &p, &q, e) < 0)
        return -1;
    strbuf_adds(ids, db_get(&q, 0, 0));
    *count = db_get_i64(&q, 0, 1);
    db_rows_release(&q);
    return ids->failed ? err_no_memory(e) : 0;
}

int repo_discard_cost_json(struct db *db, const char *ids, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, ids);
    return db_json_of(db, &sql_discard_cost, &p, discard_cost_fields, out, e) < 0 ? -1 : 0;
}

static int bring_back(struct db *db, const struct db_params *ids, struct err *e)
{
    struct db_rows q;
    int ret = 0;

    if (db_query(db, &sql_discard_archived, ids, &q, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < q.count; i++)
        ret = repo_archive_return(db, db_get(&q, i, 0), e);
    db_rows_release(&q);
    return ret;
}

static int put(struct db *db, const struct discard *d, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    if (db_query(db, &sql_discard_long_work, &none, NULL, e) < 0)
        return -1;
    db_text(&p, d->id);
    db_time(&p, d->at);
    db_text(&p, d->by);
    db_text(&p, d->why);
    db_text(&p, d->chosen);
    return db_query(db, &sql_discard_put, &p, NULL, e);
}

static int go_on(struct db *db, const struct discard *d, const struct db_rows *runs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, id = DB_PARAMS_INIT, kept = DB_PARAMS_INIT;
    struct strbuf list = STRBUF_INIT;
    int ret;

    db_array_begin(&list);
    for (int i = 0; i < runs->count; i++)
        db_array_add(&list, db_get(runs, i, 0));
    db_array_end(&list);
    db_text(&p, list.text);
    db_time(&p, d->at);
    db_text(&id, d->id);
    db_text(&kept, list.text);
    db_text(&kept, d->id);
    ret = list.failed ? err_no_memory(e) : db_query(db, &sql_discard_answers, &kept, NULL, e);
    if (ret == 0)
        ret = db_query(db, &sql_discard_runs, &p, NULL, e);
    strbuf_release(&list);
    return ret < 0 ? -1 : db_query(db, &sql_discard_count, &id, NULL, e);
}

int repo_discard(struct db *db, const struct discard *d, const char *ids, struct db_rows *runs, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT, marked = DB_PARAMS_INIT, rechecks = DB_PARAMS_INIT, jobs = DB_PARAMS_INIT;

    db_text(&p, ids);
    db_text(&marked, ids);
    db_text(&marked, d->id);
    db_bool(&marked, d->quarantine != NULL);
    db_text(&rechecks, ids);
    db_time(&rechecks, d->at);
    db_text(&jobs, ids);
    db_bool(&jobs, d->quarantine != NULL);
    if (put(db, d, e) < 0 || bring_back(db, &p, e) < 0 || db_query(db, &sql_discard_lock, &p, NULL, e) < 0 ||
        db_query(db, &sql_discard_hold, &p, NULL, e) < 0 || db_query(db, &sql_discard_use, &p, NULL, e) < 0 ||
        db_query(db, &sql_discard_passed_over, &p, NULL, e) < 0 ||
        db_query(db, &sql_discard_results, &marked, NULL, e) < 0 ||
        db_query(db, &sql_discard_rechecks, &rechecks, NULL, e) < 0 ||
        db_query(db, &sql_discard_jobs, &jobs, runs, e) < 0)
        return -1;
    if (go_on(db, d, runs, e) == 0)
        return 0;
    db_rows_release(runs);
    return -1;
}

int repo_discard_list(struct db *db, const char *after, uint64_t limit, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, after);
    db_u64(&p, limit);
    return db_query_json(db, &sql_discard_list, &p, discard_list_fields, out, e);
}

int repo_discard_find(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_json_of(db, &sql_discard_one, &p, discard_one_fields, out, e);
}
