#include "server/db/repo_event.h"

#include <stdio.h>

#include "base/text.h"
#include "wire/json.h"

extern const struct db_stmt repo_event_stmts[];
const struct db_stmt repo_event_stmts[] = {
    {"event_put",
     "INSERT INTO event (at, topic, kind, severity, sentence, data) VALUES ($1::timestamptz, $2, $3, $4, $5, $6)"},
    {"event_horizon", "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096"},
    {"event_tail", "SELECT id, topic, kind, data FROM event"
                   " WHERE id > $1::bigint AND id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096"
                   " ORDER BY id LIMIT $2::bigint"},
    {"event_tail_topics",
     "SELECT id, topic, kind, data FROM event"
     " WHERE id > $2::bigint AND id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint * 4096"
     "   AND topic = ANY($1::text[]) ORDER BY id LIMIT $3::bigint"},
    {"event_oldest", "SELECT coalesce(min(id), 0) FROM event"},
    {"event_expire", "DELETE FROM event WHERE id IN (SELECT id FROM event WHERE at < $1::timestamptz"
                     "   AND (sentence IS NULL OR at < $2::timestamptz) ORDER BY id LIMIT 1000)"},
    {"event_rebase",
     "WITH far AS (SELECT max(id) - pg_current_xact_id()::text::bigint * 4096 + 1 AS shift FROM event)"
     " UPDATE event SET id = id - far.shift FROM far WHERE far.shift > 0"},
    {"event_import_of_team", "SELECT 1 FROM import WHERE id = $1::uuid AND team_id = $2::bigint"},
    {NULL, NULL},
};

int repo_event_put(struct db *db, const struct event_row *row, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, row->at);
    db_text(&p, row->topic);
    db_text(&p, row->kind);
    db_text(&p, row->severity);
    db_text(&p, row->sentence);
    db_text(&p, row->data);
    return db_query(db, "event_put", &p, NULL, e);
}

/* Drops `about`, whose members stand in the data beside those of every sentence. */
static int say(struct db *db, const char *run, wall_us at, const char *kind, const char *severity,
               const char *sentence, json_t *about, struct err *e)
{
    struct strbuf data = STRBUF_INIT;
    struct json_obj o = json_obj_begin();
    char topic[64], when[CLOCK_RFC3339];
    struct event_row row = {.at = at, .topic = topic, .kind = kind, .severity = severity, .sentence = sentence};
    json_t *v;
    int ret;

    snprintf(topic, sizeof topic, "run:%s", run);
    clock_format(at, when);
    json_put_str(&o, "run", run);
    json_put_str(&o, "at", when);
    json_put_str(&o, "severity", severity);
    json_put_str(&o, "sentence", sentence);
    v = json_obj_end(&o);
    if (v && (!about || json_object_update(v, about) == 0))
        json_write_text(v, false, &data);
    json_decref(v);
    json_decref(about);
    row.data = data.text;
    ret = data.length == 0 || data.failed ? err_no_memory(e) : repo_event_put(db, &row, e);
    strbuf_release(&data);
    return ret;
}

int repo_event_say(struct db *db, const char *run, wall_us at, const char *severity, struct err *e,
                   const char *format, ...)
{
    struct strbuf sentence = STRBUF_INIT;
    va_list ap;
    int ret;

    va_start(ap, format);
    strbuf_vaddf(&sentence, format, ap);
    va_end(ap);
    if (!sentence.failed)
        utf8_mend(sentence.text); /* words of a worker or a name may have been cut */
    ret = sentence.failed ? err_no_memory(e) : say(db, run, at, "run.event", severity, sentence.text, NULL, e);
    strbuf_release(&sentence);
    return ret;
}

int repo_event_say_look(struct db *db, const char *run, int number, const char *decision, wall_us at,
                        const char *severity, const char *sentence, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *about;

    json_put_u64(&o, "look", (uint64_t)number);
    json_put_str(&o, "decision", decision);
    about = json_obj_end(&o);
    return about ? say(db, run, at, "run.look", severity, sentence, about, e) : err_no_memory(e);
}

static int one_number(struct db *db, const char *stmt, int64_t *out, struct err *e)
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
    return one_number(db, "event_horizon", out, e);
}

int repo_event_oldest(struct db *db, int64_t *out, struct err *e)
{
    return one_number(db, "event_oldest", out, e);
}

int repo_event_tail(struct db *db, int64_t after, int64_t most, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, after);
    db_i64(&p, most);
    return db_query(db, "event_tail", &p, out, e);
}

int repo_event_tail_topics(struct db *db, const char *topics, int64_t after, int64_t most, struct db_rows *out,
                           struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, topics);
    db_i64(&p, after);
    db_i64(&p, most);
    return db_query(db, "event_tail_topics", &p, out, e);
}

int repo_event_expire(struct db *db, wall_us sentences_before, wall_us rest_before, int64_t *dropped, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_time(&p, rest_before);
    db_time(&p, sentences_before);
    if (db_query(db, "event_expire", &p, &q, e) < 0)
        return -1;
    *dropped = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_event_rebase(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "event_rebase", &none, NULL, e);
}

static int exists(struct db *db, const char *stmt, const struct db_params *p, struct err *e)
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
    return exists(db, "event_import_of_team", &p, e);
}
