/* server/db/db.c: libpq behind db.h. Parameters (db_params.c), arrays and ids have files of their own. */
#include "server/db/db.h"

#include <ctype.h>
#include <errno.h>
#include <libpq-fe.h>
#include <math.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/array.h"
#include "base/log.h"

#define TRANSACTION_TRIES 5
/* Compiling a plan to machine code (jit) takes longer than any statement of ours runs. */
#define LIMITS(X)                                                                                                  \
    X("statement_timeout", "10s")                                                                                  \
    X("lock_timeout", "2s")                                                                                        \
    X("idle_in_transaction_session_timeout", "15s") X("client_min_messages", "warning") X("jit", "off")

static const char *pooler; /* connections by this text have no memory */

struct db {
    PGconn *conn; /* NULL: not connected */
    char *conninfo;
    bool prepare; /* prepare all statements after connecting */
    bool hot;     /* db_open_hot() */
    bool pooled;
    bool in_transaction;
    bool act, act_open;    /* db_act_begin() was called; its transaction has begun */
    bool connected_before; /* by ensure_connected(): the next time is a reconnection */
    bool retry;            /* the last error is one of those that repeat a transaction */
};

static void quiet(void *ctx, const char *message)
{
    (void)ctx;
    log_debug("db", "the database says", "notice=%s", log_quote(message, (char[200]){0}, 200));
}

/* libpq ends its messages with a line end, and some have several lines: the first says what happened. */
static const char *first_line(const char *s, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(s, "\n"), s);
    return out;
}

static void disconnect(struct db *db)
{
    PQfinish(db->conn);
    db->conn = NULL;
}

/* --- Errors --- */

static atomic_uint_fast64_t disk_full_us, retries, reconnects;

uint64_t db_disk_full_us(void)
{
    return atomic_load(&disk_full_us);
}

uint64_t db_retries(void)
{
    return atomic_load(&retries);
}

uint64_t db_reconnects(void)
{
    return atomic_load(&reconnects);
}

static bool state_is(const char *state, const char *prefix)
{
    return strncmp(state, prefix, strlen(prefix)) == 0;
}

static enum err_code code_of(const char *state)
{
    static const struct {
        const char *prefix;
        enum err_code code;
    } map[] = {
        {"23505", ERR_CONFLICT}, {"23503", ERR_NOT_FOUND}, {"23", ERR_INVALID},     {"22", ERR_INVALID},
        {"53100", ERR_NO_SPACE}, {"53200", ERR_DATABASE},  {"53300", ERR_DATABASE}, {"57014", ERR_BUSY},
        {"57P0", ERR_DATABASE},  {"08", ERR_DATABASE},     {"25006", ERR_DATABASE}, {"40001", ERR_BUSY},
        {"40P01", ERR_BUSY},     {"55P03", ERR_BUSY},
    };

    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (state_is(state, map[i].prefix))
            return map[i].code;
    return ERR_INTERNAL;
}

static int fail_unavailable(struct db *db, struct err *e)
{
    char line[300];

    first_line(db->conn ? PQerrorMessage(db->conn) : "no connection", line, sizeof line);
    err_set(e, ERR_DATABASE, "the database cannot be reached: %s", line);
    if (strstr(line, "unsupported startup parameter"))
        return err_hint(
            e, "This is PgBouncer: say --database-pooler, and --database-direct with PostgreSQL's own URL.");
    return err_hint(e, "Try again in a moment; the server keeps trying to connect.");
}

/* Fills *e from a failed result. What was sent is never logged, only the statement's name. */
static int fail_result(struct db *db, const PGresult *res, const char *stmt, struct err *e)
{
    const char *state = res ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
    const char *text = res ? PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    enum err_code code = state ? code_of(state) : ERR_DATABASE;
    char line[300];

    first_line(text ? text : PQerrorMessage(db->conn), line, sizeof line);
    db->retry = state && (state_is(state, "40001") || state_is(state, "40P01") || state_is(state, "55P03"));
    if (code == ERR_DATABASE || PQstatus(db->conn) != CONNECTION_OK) {
        err_set(e, ERR_DATABASE, "the database is not available: %s", line);
        err_hint(e, "Try again in a moment; the server keeps trying to connect.");
        disconnect(db);
    } else if (code == ERR_NO_SPACE) {
        atomic_store(&disk_full_us, clock_monotonic_us());
        err_set(e, code, "the database has no space left on its disk");
        err_hint(e, "Make room on the database's disk; running jobs go on.");
    } else if (code == ERR_BUSY) {
        err_set(e, code, "the database took too long (%s)", stmt);
    } else {
        err_set(e, code, "%s: %s", stmt, line);
    }
    if (code == ERR_INTERNAL)
        log_error("db", "a statement failed", "statement=%s sqlstate=%s error=%s", stmt, state ? state : "-",
                  log_quote(line, (char[300]){0}, 300));
    return -1;
}

/* --- Connections --- */

static int prepare_all(struct db *db, struct err *e)
{
    for (const struct db_stmt *const *table = db_statement_tables; *table; table++)
        for (const struct db_stmt *s = *table; s->name; s++) {
            PGresult *res = PQprepare(db->conn, s->name, s->sql, 0, NULL);
            int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : fail_result(db, res, s->name, e);

            PQclear(res);
            if (ret < 0)
                return err_wrap(e, "preparing statement %s", s->name);
        }
    return 0;
}

/* A pooler's connection has the limits of the role, or none: then nothing would end a statement that hangs. */
static int check_limits(struct db *db, struct err *e)
{
    PGresult *res = PQexec(db->conn, "SELECT current_setting('statement_timeout'), current_setting('timezone'),"
                                     " current_setting('datestyle') LIKE 'ISO%'");
    int ret = 0;

    if (PQresultStatus(res) != PGRES_TUPLES_OK)
        ret = fail_result(db, res, "limits", e);
    else if (strcmp(PQgetvalue(res, 0, 0), "10s") != 0 || strcmp(PQgetvalue(res, 0, 1), "UTC") != 0 ||
             strcmp(PQgetvalue(res, 0, 2), "t") != 0) {
        err_set(e, ERR_DATABASE,
                "the pooler's connections have statement_timeout %s and time zone %s, not 10s and UTC",
                PQgetvalue(res, 0, 0), PQgetvalue(res, 0, 1));
        err_hint(
            e, "They are from before the role had its limits: say RECONNECT on PgBouncer's console; its users must "
               "be the same role as --database-direct.");
        ret = -1;
    }
    PQclear(res);
    return ret;
}

static int set_hot(struct db *db, struct err *e)
{
    PGresult *res = PQexec(db->conn, "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off;"
                                     "SET enable_hashjoin = off; SET enable_mergejoin = off");
    int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : fail_result(db, res, "hot settings", e);

    PQclear(res);
    return ret;
}

static int connect_now(struct db *db, struct err *e)
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

    disconnect(db);
    db->conn = PQconnectdbParams(key, value, 1);
    if (!db->conn)
        return err_no_memory(e);
    PQsetNoticeProcessor(db->conn, quiet, NULL);
    if (PQstatus(db->conn) != CONNECTION_OK) {
        fail_unavailable(db, e);
        disconnect(db);
        return -1;
    }
    if (db->pooled ? check_limits(db, e) < 0
                   : (db->hot && set_hot(db, e) < 0) || (db->prepare && prepare_all(db, e) < 0)) {
        disconnect(db);
        return -1;
    }
    return 0;
}

/* A server that was restarted has closed our socket: seen here, before anything is sent, so that the next
 * statement does not pay for it. */
static bool closed_by_server(struct db *db)
{
    struct pollfd p = {.fd = PQsocket(db->conn), .events = POLLIN};

    if (poll(&p, 1, 0) <= 0)
        return false;
    return !PQconsumeInput(db->conn) || PQstatus(db->conn) != CONNECTION_OK;
}

static int ensure_connected(struct db *db, struct err *e)
{
    if (db->in_transaction || db->act_open) {
        if (db->conn)
            return 0;
        return err_set(e, ERR_DATABASE, "the connection to the database was lost inside a transaction");
    }
    if (db->conn && PQstatus(db->conn) == CONNECTION_OK && !closed_by_server(db))
        return 0;
    atomic_fetch_add(&reconnects, db->connected_before);
    db->connected_before = true;
    return connect_now(db, e);
}

/* A word about transactions, on a connection that is there. */
static int command(struct db *db, const char *sql, struct err *e)
{
    PGresult *res = PQexec(db->conn, sql);
    int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : fail_result(db, res, sql, e);

    PQclear(res);
    return ret;
}

/* Connected, and in an act's transaction where there is one. */
static int ensure_begun(struct db *db, struct err *e)
{
    db->retry = false;
    if (ensure_connected(db, e) < 0)
        return -1;
    if (db->act && !db->act_open) {
        if (command(db, "BEGIN", e) < 0)
            return -1;
        db->act_open = true;
    }
    return 0;
}

/* Before each statement. */
static int ensure_ready(struct db *db, struct err *e)
{
    if (ensure_begun(db, e) < 0)
        return -1;
    return db->act && !db->in_transaction ? command(db, "SAVEPOINT statement", e) : 0;
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
    if (connect_now(db, e) < 0) {
        db_close(db);
        return -1;
    }
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

    if (db_open(direct, &db, e) < 0) /* which prepares every statement */
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
    /* PgBouncer passes these two on, and restores them for each client. */
    if (setenv("PGTZ", "UTC", 1) < 0 || setenv("PGDATESTYLE", "ISO", 1) < 0)
        return err_no_memory(e);
    pooler = conninfo;
    return 0;
}

void db_close(struct db *db)
{
    if (!db)
        return;
    disconnect(db);
    free(db->conninfo);
    free(db);
}

int db_fd(const struct db *db)
{
    return db->conn ? PQsocket(db->conn) : -1;
}

/* --- Statements --- */

static int judge_result(struct db *db, PGresult *res, const char *stmt, struct db_rows *out, struct err *e)
{
    ExecStatusType status = PQresultStatus(res);
    const char *affected;

    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        fail_result(db, res, stmt, e);
        PQclear(res);
        return -1;
    }
    if (!out) {
        PQclear(res);
        return 0;
    }
    affected = PQcmdTuples(res);
    *out = (struct db_rows){.handle = res, .count = PQntuples(res), .affected = affected[0] ? atoll(affected) : 0};
    return 0;
}

/* The end of what ensure_ready() began. */
static int take_result(struct db *db, PGresult *res, const char *stmt, struct db_rows *out, struct err *e)
{
    int ret = judge_result(db, res, stmt, out, e);
    bool retry = db->retry;
    struct err ignored;

    if (!db->act || db->in_transaction || !db->conn)
        return ret;
    if (ret < 0) {
        if (command(db, "ROLLBACK TO statement", &ignored) == 0)
            db->retry = retry;
        return -1;
    }
    if (command(db, "RELEASE statement", e) == 0)
        return 0;
    if (out)
        db_rows_release(out);
    return -1;
}

static const char *text_of(const char *name)
{
    for (const struct db_stmt *const *table = db_statement_tables; *table; table++)
        for (const struct db_stmt *s = *table; s->name; s++)
            if (strcmp(s->name, name) == 0)
                return s->sql;
    return "SELECT 'there is no such statement'::integer"; /* an error, with the name in its message */
}

int db_query(struct db *db, const char *stmt, const struct db_params *p, struct db_rows *out, struct err *e)
{
    static const struct db_params none;

    if (out)
        *out = (struct db_rows){0};
    if (!p)
        p = &none;
    if (p->count > DB_PARAMS)
        return err_set(e, ERR_INTERNAL, "%s: more than %d parameters", stmt, DB_PARAMS);
    if (ensure_ready(db, e) < 0)
        return -1;
    if (db->pooled)
        return take_result(db,
                           PQexecParams(db->conn, text_of(stmt), p->count, NULL, p->value, p->length, p->binary, 0),
                           stmt, out, e);
    return take_result(db, PQexecPrepared(db->conn, stmt, p->count, p->value, p->length, p->binary, 0), stmt, out,
                       e);
}

int db_query_text(struct db *db, const char *sql, const struct db_params *p, struct db_rows *out, struct err *e)
{
    static const struct db_params none;

    if (out)
        *out = (struct db_rows){0};
    if (!p)
        p = &none;
    if (ensure_ready(db, e) < 0)
        return -1;
    return take_result(db, PQexecParams(db->conn, sql, p->count, NULL, p->value, p->length, p->binary, 0),
                       "a statement", out, e);
}

int db_exec_text(struct db *db, const char *sql, struct err *e)
{
    if (ensure_ready(db, e) < 0)
        return -1;
    return take_result(db, PQexec(db->conn, sql), "a statement", NULL, e);
}

/* --- Transactions --- */

static void pause_before_try(int attempt)
{
    uint16_t jitter = 0;
    struct timespec t;

    if (getrandom(&jitter, sizeof jitter, GRND_NONBLOCK) < 0)
        jitter = 0x8000;
    t = (struct timespec){.tv_nsec = (long)((5 << attempt) * (0.5 + jitter / 65536.0) * 1e6)};
    nanosleep(&t, NULL);
}

/* Leaves no transaction open, whatever state the connection is in. */
static void roll_back(struct db *db)
{
    PGresult *res;

    db->in_transaction = false;
    if (!db->conn)
        return;
    res = PQexec(db->conn, db->act ? "ROLLBACK TO act" : "ROLLBACK");
    if (PQresultStatus(res) != PGRES_COMMAND_OK)
        disconnect(db);
    PQclear(res);
}

static int commit(struct db *db, struct err *e)
{
    PGresult *res;
    int ret = 0;

    if (!db->conn) {
        db->in_transaction = false;
        return err_set(e, ERR_DATABASE, "the connection to the database was lost inside a transaction");
    }
    res = PQexec(db->conn, db->act ? "RELEASE act" : "COMMIT");
    db->in_transaction = false;
    if (PQresultStatus(res) != PGRES_COMMAND_OK) {
        ret = fail_result(db, res, "COMMIT", e);
    } else if (strcmp(PQcmdStatus(res), "ROLLBACK") == 0) { /* a statement failed and the body did not say so */
        ret = err_set(e, ERR_INTERNAL, "a transaction went on after a failed statement; nothing was written");
    }
    PQclear(res);
    return ret;
}

static int try_once(struct db *db, db_body body, void *ctx, struct err *e)
{
    int ret;

    if (ensure_begun(db, e) < 0 || command(db, db->act ? "SAVEPOINT act" : "BEGIN", e) < 0)
        return -1;
    db->in_transaction = true;
    ret = body(db, ctx, e);
    if (ret == 0)
        return commit(db, e);
    {
        bool retry = db->retry; /* of the body's failed statement, not of the roll-back */

        roll_back(db);
        db->retry = retry;
    }
    return ret;
}

int db_transaction(struct db *db, db_body body, void *ctx, struct err *e)
{
    int ret = -1;

    if (db->in_transaction)
        return err_set(e, ERR_INTERNAL, "a transaction inside a transaction");
    for (int attempt = 0; attempt < TRANSACTION_TRIES; attempt++) {
        if (attempt > 0) {
            atomic_fetch_add(&retries, 1);
            pause_before_try(attempt);
        }
        ret = try_once(db, body, ctx, e);
        if (ret >= 0 || !db->retry)
            break;
    }
    return ret;
}

void db_act_begin(struct db *db)
{
    db->act = true;
}

int db_act_end(struct db *db, bool whole, struct err *e)
{
    bool open = db->act_open;

    db->act = db->act_open = false;
    if (!open)
        return 0;
    if (whole)
        return commit(db, e);
    roll_back(db);
    return 0;
}

/* --- Notifications --- */

int db_notifications(struct db *db, db_notify_fn fn, void *ctx, struct err *e)
{
    PGnotify *n;

    if (!db->conn || !PQconsumeInput(db->conn)) {
        fail_unavailable(db, e);
        disconnect(db);
        return -1;
    }
    while ((n = PQnotifies(db->conn))) {
        fn(ctx, n->relname, n->extra);
        PQfreemem(n);
    }
    return 0;
}

/* --- Results --- */

bool db_is_null(const struct db_rows *r, int row, int col)
{
    return PQgetisnull(r->handle, row, col);
}

const char *db_get(const struct db_rows *r, int row, int col)
{
    return PQgetvalue(r->handle, row, col);
}

int64_t db_get_i64(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? 0 : strtoll(db_get(r, row, col), NULL, 10);
}

uint64_t db_get_u64(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? 0 : strtoull(db_get(r, row, col), NULL, 10);
}

double db_get_double(const struct db_rows *r, int row, int col)
{
    return db_is_null(r, row, col) ? NAN : strtod(db_get(r, row, col), NULL);
}

bool db_get_bool(const struct db_rows *r, int row, int col)
{
    return db_get(r, row, col)[0] == 't';
}

/* "2026-11-20 13:02:11.123456+00": the session's time zone is UTC. */
wall_us db_get_time(const struct db_rows *r, int row, int col)
{
    struct tm tm = {0};
    const char *s = db_get(r, row, col), *dot;
    int64_t us = 0;

    if (sscanf(s, "%d-%d-%d %d:%d:%d", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec) !=
        6)
        return 0;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    dot = strchr(s, '.');
    for (int i = 1, digit = 1; dot && i <= 6; i++) {
        digit = digit && isdigit((unsigned char)dot[i]);
        us = us * 10 + (digit ? dot[i] - '0' : 0);
    }
    return (wall_us)timegm(&tm) * 1000000 + us;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int db_get_bytes(const struct db_rows *r, int row, int col, unsigned char **out, size_t *n, struct err *e)
{
    const char *s = db_get(r, row, col);
    size_t length = (size_t)PQgetlength(r->handle, row, col);
    unsigned char *bytes;

    if (length < 2 || length % 2 || s[0] != '\\' || s[1] != 'x')
        return err_set(e, ERR_INTERNAL, "column %d is not bytea", col);
    s += 2;
    length = (length - 2) / 2;
    bytes = mem_zalloc(length + 1, 1, e);
    if (!bytes)
        return -1;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (unsigned char)(hex_digit(s[2 * i]) * 16 + hex_digit(s[2 * i + 1]));
    *out = bytes;
    *n = length;
    return 0;
}

void db_rows_release(struct db_rows *r)
{
    PQclear(r->handle);
    *r = (struct db_rows){0};
}
