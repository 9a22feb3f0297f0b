#include "server/store/repo/repo_activity.h"

#include "server/store/repo/sql/statements.h"

#define QUEUE_MAX 200 /* runs */

/* Takes the parameters as db_query() does. */
static int member(struct db *db, const char *name, const struct db_stmt *stmt, struct db_params *p,
                  struct strbuf *out, struct err *e)
{
    struct db_rows q;

    if (db_query(db, stmt, p, &q, e) < 0)
        return -1;
    strbuf_addf(out, ",\"%s\":%s", name, q.count > 0 ? db_get(&q, 0, 0) : "null");
    db_rows_release(&q);
    return out->failed ? err_no_memory(e) : 0;
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
    return member(db, "queue", &sql_activity_queue, &p, out, e);
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
    if (member(db, "lanes", &sql_activity_lanes, &lanes, out, e) < 0 || add_queue(db, team, out, e) < 0 ||
        member(db, "slowest", &sql_activity_slowest, &whole, out, e) < 0 ||
        member(db, "facts", &sql_activity_facts, &whole, out, e) < 0)
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
    return db_query(db, &sql_activity_worker, &p, out, e);
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
