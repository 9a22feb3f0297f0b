/* server/store/db/db_connect.c: opens connections, sets their time limits, prepares their statements, supports
 * poolers. */
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/array.h"
#include "base/log.h"
#include "server/store/db/db_internal.h"

/* The limits of each connection. jit is off, because compilation takes longer than any of these statements
 * runs. */
#define LIMITS(X)                                                                                                  \
    X("statement_timeout", "10s")                                                                                  \
    X("lock_timeout", "2s")                                                                                        \
    X("idle_in_transaction_session_timeout", "15s") X("client_min_messages", "warning") X("jit", "off")

static const char *pooler; /* connection string of a pooler, whose connections keep no session state */

static void quiet(void *ctx, const char *message)
{
    (void)ctx;
    log_debug("db", "the database says", "notice=%s", log_quote(message, (char[200]){0}, 200));
}

void db_disconnect(struct db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
}

static const struct db_stmt *const *statements;

void db_use_statements(const struct db_stmt *const *all)
{
    statements = all;
}

static int prepare_all(struct db *db, struct err *e)
{
    ASSERT(statements);
    for (const struct db_stmt *const *s = statements; *s; s++) {
        PGresult *res = PQprepare(db->conn, (*s)->name, (*s)->sql, 0, NULL);
        int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : db_fail_result(db, res, (*s)->name, e);

        PQclear(res);
        if (ret < 0)
            return err_wrap(e, "preparing statement %s", (*s)->name);
    }
    return 0;
}

/* A connection through a pooler has only the role's limits. Without them, nothing would end a statement that
 * hangs. */
static int check_limits(struct db *db, struct err *e)
{
    PGresult *res = PQexec(db->conn, "SELECT current_setting('statement_timeout'), current_setting('timezone'),"
                                     " current_setting('datestyle') LIKE 'ISO%'");
    int ret = 0;

    if (PQresultStatus(res) != PGRES_TUPLES_OK)
        ret = db_fail_result(db, res, "limits", e);
    else if (strcmp(PQgetvalue(res, 0, 0), "10s") != 0 || strcmp(PQgetvalue(res, 0, 1), "UTC") != 0 ||
             strcmp(PQgetvalue(res, 0, 2), "t") != 0) {
        err_set(e, ERR_DATABASE,
                "the pooler's connections have statement_timeout %s and time zone %s, not 10s and UTC",
                PQgetvalue(res, 0, 0), PQgetvalue(res, 0, 1));
        err_hint(
            e,
            "They were opened before the role had its limits: run RECONNECT on PgBouncer's console; its users must "
            "be the same role as --database-direct.");
        ret = -1;
    }
    PQclear(res);
    return ret;
}

#define PLAN_ONCE "SET plan_cache_mode = force_generic_plan"

static int set_planner(struct db *db, struct err *e)
{
    static const char hot[] =
        PLAN_ONCE "; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off";
    PGresult *res = PQexec(db->conn, db->hot ? hot : PLAN_ONCE);
    int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : db_fail_result(db, res, "planner settings", e);

    PQclear(res);
    return ret;
}

int db_connect_now(struct db *db, struct err *e)
{
    static const char *const key[] = {
        "dbname",  "connect_timeout", "client_encoding",      "fallback_application_name",
        "options", "keepalives_idle", "target_session_attrs", NULL};
    const char *const value[] = {
        db->conninfo,
        "5",
        "UTF8",
        "vivace-server",
        db->pooled ? ""
                   : "-c timezone=UTC -c datestyle=ISO -c bytea_output=hex -c extra_float_digits=1"
#define OPTION(name, value) " -c " name "=" value
            LIMITS(OPTION),
#undef OPTION
        "30",
        "read-write",
        NULL};

    db_disconnect(db);
    db->conn = PQconnectdbParams(key, value, 1);
    if (!db->conn)
        return err_no_memory(e);
    PQsetNoticeProcessor(db->conn, quiet, NULL);
    if (PQstatus(db->conn) != CONNECTION_OK) {
        db_fail_unavailable(db, e);
        db_disconnect(db);
        return -1;
    }
    if (db->pooled ? check_limits(db, e) < 0
                   : ((db->hot || db->once) && set_planner(db, e) < 0) || (db->prepare && prepare_all(db, e) < 0)) {
        db_disconnect(db);
        return -1;
    }
    return 0;
}

int db_new(const char *conninfo, struct db **out, struct err *e)
{
    struct db *db = mem_zalloc(1, sizeof *db, e);

    if (!db)
        return -1;
    db->prepare = true;
    db->pooled = pooler && strcmp(pooler, conninfo) == 0;
    db->conninfo = mem_strdup(conninfo, e);
    if (!db->conninfo) {
        free(db);
        return -1;
    }
    *out = db;
    return 0;
}

static int open_with(const char *conninfo, bool prepare, bool hot, struct db **out, struct err *e)
{
    struct db *db;

    if (db_new(conninfo, &db, e) < 0)
        return -1;
    db->prepare = prepare;
    db->hot = hot;
    db->opening = true;
    if (db_connect_now(db, e) < 0) {
        db_close(db);
        return -1;
    }
    db->opening = false;
    *out = db;
    return 0;
}

int db_open(const char *conninfo, struct db **out, struct err *e)
{
    return open_with(conninfo, true, false, out, e);
}

int db_open_plain(const char *conninfo, struct db **out, struct err *e)
{
    return open_with(conninfo, false, false, out, e);
}

int db_open_hot(const char *conninfo, struct db **out, struct err *e)
{
    return open_with(conninfo, true, true, out, e);
}

int db_use_pooler(const char *conninfo, const char *direct, struct err *e)
{
    struct db *db;
    int ret;

    if (db_open(direct, &db, e) < 0) /* this prepares every statement */
        return -1;
    ret = db_exec_text(db,
                       "DO $$ BEGIN"
#define LIMIT(name, value)                                                                                         \
    " EXECUTE format('ALTER ROLE %I IN DATABASE %I SET " name " = %L', current_user, current_database(), '" value  \
    "');"
                       LIMITS(LIMIT) " END $$",
#undef LIMIT
                       e);
    db_close(db);
    if (ret < 0)
        return err_wrap(e, "setting the role's time limits");
    /* PgBouncer forwards these two settings and restores them for each client. */
    if (setenv("PGTZ", "UTC", 1) < 0 || setenv("PGDATESTYLE", "ISO", 1) < 0)
        return err_no_memory(e);
    pooler = conninfo;
    return 0;
}

void db_plan_once(struct db *db)
{
    db->once = true;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    db_disconnect(db);
    free(db->conninfo);
    free(db);
}

int db_fd(const struct db *db)
{
    return db->conn ? PQsocket(db->conn) : -1;
}
