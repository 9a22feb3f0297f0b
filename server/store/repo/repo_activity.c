#include "server/store/repo/repo_activity.h"

#include "server/store/repo/db_json.h"
#include "server/store/repo/sql/statements.h"

#define WHOSE_FIELDS FIELD_TEXT("run"), FIELD_TEXT("workload_name")

static const struct db_field activity_lanes_fields[] = {
    FIELD_TEXT("worker"), WHOSE_FIELDS,           FIELD_TEXT("from"),  FIELD_TEXT("to"),
    FIELD_NUMBER("jobs"), FIELD_NUMBER("failed"), FIELD_BOOL("going"), FIELDS_END};

static const struct db_field activity_queue_fields[] = {WHOSE_FIELDS,
                                                        FIELD_TEXT("state"),
                                                        FIELD_NUMBER("priority"),
                                                        FIELD_NUMBER("leased"),
                                                        FIELD_NUMBER("ready"),
                                                        FIELD_NUMBER("blocked"),
                                                        FIELD_NUMBER("share_of_busy"),
                                                        FIELD_TEXT("created_at"),
                                                        FIELDS_END};

static const struct db_field activity_slowest_fields[] = {WHOSE_FIELDS,
                                                          FIELD_TEXT("job"),
                                                          FIELD_TEXT("worker"),
                                                          FIELD_NUMBER("host_seconds"),
                                                          FIELD_NUMBER("launch"),
                                                          FIELD_TEXT("kernel"),
                                                          FIELD_TEXT("design"),
                                                          FIELD_NUMBER("cycles"),
                                                          FIELDS_END};

static const struct db_field activity_facts_fields[] = {FIELD_NUMBER("done"),
                                                        FIELD_NUMBER("failed"),
                                                        FIELD_NUMBER("lost_leases"),
                                                        FIELD_NUMBER("trouble"),
                                                        FIELD_NUMBER("retries"),
                                                        FIELD_NUMBER("simulated_cycles_per_s"),
                                                        FIELD_NUMBER("stored_bytes"),
                                                        FIELD_NUMBER("team_stored_bytes"),
                                                        FIELDS_END};

static const struct db_field activity_worker_fields[] = {WHOSE_FIELDS,
                                                         FIELD_TEXT("job"),
                                                         FIELD_NUMBER("number"),
                                                         FIELD_TEXT("started_at"),
                                                         FIELD_TEXT("ended_at"),
                                                         FIELD_TEXT("outcome"),
                                                         FIELD_TEXT("message"),
                                                         FIELD_NUMBER("host_seconds"),
                                                         FIELD_NUMBER("peak_bytes"),
                                                         FIELDS_END};

#define QUEUE_MAX 200 /* maximum number of runs */

/* Appends a named list. The parameters are those of db_query(). */
static int list(struct db *db, const char *name, const struct db_stmt *stmt, const struct db_field *fields,
                struct db_params *p, struct strbuf *out, struct err *e)
{
    strbuf_addf(out, ",\"%s\":", name);
    return db_json_list_of(db, stmt, p, fields, out, e);
}

static int facts(struct db *db, struct db_params *p, struct strbuf *out, struct err *e)
{
    strbuf_adds(out, ",\"facts\":");
    return db_json_of(db, &sql_activity_facts, p, activity_facts_fields, out, e) < 0 ? -1 : 0;
}

static void window(struct db_params *p, int64_t team, wall_us now, int64_t seconds)
{
    db_i64(p, team);
    db_time(p, now);
    db_i64(p, seconds);
}

static int add_queue(struct db *db, int64_t team, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_i64(&p, QUEUE_MAX);
    return list(db, "queue", &sql_activity_queue, activity_queue_fields, &p, out, e);
}

int repo_activity_json(struct db *db, int64_t team, wall_us now, int64_t seconds, struct strbuf *out, struct err *e)
{
    struct db_params lanes = DB_PARAMS_INIT, whole = DB_PARAMS_INIT;
    char from[CLOCK_RFC3339], to[CLOCK_RFC3339];

    window(&lanes, team, now, seconds);
    db_i64(&lanes, ACTIVITY_LANES);
    window(&whole, team, now, seconds);
    clock_format(now - seconds * 1000000, from);
    clock_format(now, to);
    strbuf_addf(out, "{\"from\":\"%s\",\"to\":\"%s\"", from, to);
    if (list(db, "lanes", &sql_activity_lanes, activity_lanes_fields, &lanes, out, e) < 0 ||
        add_queue(db, team, out, e) < 0 ||
        list(db, "slowest", &sql_activity_slowest, activity_slowest_fields, &whole, out, e) < 0 ||
        facts(db, &whole, out, e) < 0)
        return -1;
    strbuf_addc(out, '}');
    return out->failed ? err_no_memory(e) : 0;
}

int repo_activity_worker(struct db *db, const char *session, int64_t team, wall_us now, int64_t seconds,
                         struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    window(&p, team, now, seconds);
    db_text(&p, session);
    return db_query_json(db, &sql_activity_worker, &p, activity_worker_fields, out, e);
}

int repo_activity_roll(struct db *db, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int more;

    db_time(&p, now);
    db_i64(&p, ACTIVITY_LATE_S);
    if (db_query(db, &sql_activity_roll, &p, &q, e) < 0)
        return -1;
    more = db_get_i64(&q, 0, 0) > 0;
    db_rows_release(&q);
    return more;
}

int repo_activity_expire(struct db *db, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, now);
    return db_query(db, &sql_activity_expire, &p, NULL, e);
}

int repo_activity_unlose(struct db *db, const char *job, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_query(db, &sql_activity_lock, NULL, NULL, e) < 0 ? -1
                                                               : db_query(db, &sql_activity_unlose, &p, NULL, e);
}
