#include "server/store/repo/repo_event.h"

#include <stdio.h>
#include <string.h>

#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"
#include "wire/json.h"

int repo_event_put(struct db *db, const struct event_row *row, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, row->at);
    db_text(&p, row->topic);
    db_text(&p, row->kind);
    db_text(&p, row->severity);
    db_text(&p, row->params);
    return db_query(db, &sql_event_put, &p, NULL, e);
}

static int put_event(struct db *db, const char *run, wall_us at, const char *severity, const char *kind,
                     const json_t *params, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    char topic[64];
    struct event_row row = {.at = at, .topic = topic, .kind = kind, .severity = severity};
    int ret;

    snprintf(topic, sizeof topic, "run:%s", run);
    json_write_text(params, false, &text);
    row.params = text.text;
    ret = text.failed ? err_no_memory(e) : repo_event_put(db, &row, e);
    strbuf_release(&text);
    return ret;
}

int repo_event_emit(struct db *db, const char *run, wall_us at, const char *severity, struct event ev,
                    struct err *e)
{
    json_t *params = event_parameters(ev);
    int ret = params ? put_event(db, run, at, severity, event_kind_name(ev.kind), params, e) : err_no_memory(e);

    json_decref(params);
    return ret;
}

int repo_event_emit_part(struct db *db, const char *run, wall_us at, const char *severity, const json_t *part,
                         struct err *e)
{
    return put_event(db, run, at, severity, json_string_value(json_object_get(part, "kind")),
                     json_object_get(part, "params"), e);
}

static int one_number(struct db *db, const struct db_stmt *stmt, int64_t *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    struct db_rows q;

    if (db_query(db, stmt, &none, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_event_horizon(struct db *db, int64_t *out, struct err *e)
{
    return one_number(db, &sql_event_horizon, out, e);
}

int repo_event_oldest(struct db *db, int64_t *out, struct err *e)
{
    return one_number(db, &sql_event_oldest, out, e);
}

/* For an event with a text, the sixth column as JSON (with the text) replaces the fourth column, which has only
 * the parameters. */
static int tail(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct db_rows *out,
                struct err *e)
{
    static const struct db_field fields[] = {FIELD_TEXT("run"),  FIELD_TEXT("at"),     FIELD_TEXT("severity"),
                                             FIELD_TEXT("kind"), FIELD_JSON("params"), FIELDS_END};

    if (db_query(db, stmt, p, out, e) < 0 || db_json_column(out, 5, fields, e) < 0)
        return -1;
    for (int i = 0; i < out->count; i++) {
        const char *shown = db_get(out, i, 5);

        if (shown[0] && db_set(out, i, 3, shown, strlen(shown), e) < 0) {
            db_rows_release(out);
            return -1;
        }
    }
    return 0;
}

int repo_event_tail(struct db *db, int64_t after, int64_t most, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, after);
    db_i64(&p, most);
    return tail(db, &sql_event_tail, &p, out, e);
}

int repo_event_tail_topics(struct db *db, const char *topics, int64_t after, int64_t most, struct db_rows *out,
                           struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, topics);
    db_i64(&p, after);
    db_i64(&p, most);
    return tail(db, &sql_event_tail_topics, &p, out, e);
}

int repo_event_expire(struct db *db, wall_us texts_before, wall_us rest_before, int64_t *dropped, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_time(&p, rest_before);
    db_time(&p, texts_before);
    if (db_query(db, &sql_event_expire, &p, &q, e) < 0)
        return -1;
    *dropped = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_event_rebase(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_event_rebase, &none, NULL, e);
}

static int exists(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct err *e)
{
    struct db_rows q;
    int found;

    if (db_query(db, stmt, p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    db_rows_release(&q);
    return found;
}

int repo_event_import_of_team(struct db *db, const char *import, int64_t team, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, import);
    db_i64(&p, team);
    return exists(db, &sql_event_import_of_team, &p, e);
}
