/* server/store/db/db.c: statements and transactions. Connections (db_connect.c), errors (db_error.c), parameters
 * (db_params.c), results (db_rows.c), arrays and ids have files of their own. */
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/assert.h"
#include "server/store/db/db_internal.h"
#include "server/store/db/schema_fence.h"

#define TRANSACTION_TRIES 5

static atomic_uint_fast64_t retries, reconnects;

uint64_t db_retries(void)
{
    return atomic_load(&retries);
}

uint64_t db_reconnects(void)
{
    return atomic_load(&reconnects);
}

/* Detects before a statement is sent that a restarted database has closed the connection, so that the
 * statement does not fail. The server may have sent a last message before the end of the stream, so this
 * reads repeatedly. */
static bool closed_by_server(struct db *db)
{
    struct pollfd p = {.fd = PQsocket(db->conn), .events = POLLIN};

    while (poll(&p, 1, 0) > 0)
        if (!PQconsumeInput(db->conn) || PQstatus(db->conn) != CONNECTION_OK)
            return true;
    return false;
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
    return db_connect_now(db, e);
}

/* Runs BEGIN, SAVEPOINT or another transaction command on an open connection. */
static int command(struct db *db, const char *sql, struct err *e)
{
    PGresult *res = PQexec(db->conn, sql);
    int ret = PQresultStatus(res) == PGRES_COMMAND_OK ? 0 : db_fail_result(db, res, sql, e);

    PQclear(res);
    return ret;
}

/* Ensures a connection, and an open transaction after db_act_begin(). */
static int ensure_begun(struct db *db, struct err *e)
{
    db->retry = false;
    if (schema_fence_pass(e) < 0 || ensure_connected(db, e) < 0)
        return -1;
    if (db->act && !db->act_open) {
        if (command(db, "BEGIN", e) < 0)
            return -1;
        db->act_open = true;
    }
    return 0;
}

/* Prepares the connection for a statement. Between db_act_begin() and db_act_end() each statement gets a savepoint.
 */
static int ensure_ready(struct db *db, struct err *e)
{
    if (ensure_begun(db, e) < 0)
        return -1;
    return db->act && !db->in_transaction ? command(db, "SAVEPOINT statement", e) : 0;
}

/* --- Statements --- */

static bool wrote(PGresult *res)
{
    const char *affected = PQcmdTuples(res);

    return strncmp(PQcmdStatus(res), "SELECT", 6) != 0 && affected[0] && atoll(affected) > 0;
}

static int judge_result(struct db *db, PGresult *res, const char *stmt, struct db_rows *out, struct err *e)
{
    ExecStatusType status = PQresultStatus(res);
    const char *affected;

    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
        db_fail_result(db, res, stmt, e);
        PQclear(res);
        return -1;
    }
    db->act_wrote = db->act_wrote || (db->act && wrote(res));
    if (!out) {
        PQclear(res);
        return 0;
    }
    affected = PQcmdTuples(res);
    *out = (struct db_rows){.handle = res, .count = PQntuples(res), .affected = affected[0] ? atoll(affected) : 0};
    return 0;
}

/* Reads the result of a statement and releases the savepoint of ensure_ready(). */
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

int db_query(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct db_rows *out,
             struct err *e)
{
    static const struct db_params none;
    PGresult *res;

    if (out)
        *out = (struct db_rows){0};
    if (!p)
        p = &none;
    if (p->count > DB_PARAMS)
        return err_set(e, ERR_INTERNAL, "%s: more than %d parameters", stmt->name, DB_PARAMS);
    if (ensure_ready(db, e) < 0)
        return -1;
    res = db->pooled ? PQexecParams(db->conn, stmt->sql, p->count, NULL, p->value, p->length, p->binary, 0)
                     : PQexecPrepared(db->conn, stmt->name, p->count, p->value, p->length, p->binary, 0);
    return take_result(db, res, stmt->name, out, e);
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

/* Ends an open transaction, in any state of the connection. */
static void roll_back(struct db *db)
{
    PGresult *res;

    db->in_transaction = false;
    if (!db->conn)
        return;
    res = PQexec(db->conn, db->act ? "ROLLBACK TO act" : "ROLLBACK");
    if (PQresultStatus(res) != PGRES_COMMAND_OK)
        db_disconnect(db);
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
    if (schema_fence_pass(e) < 0) {
        roll_back(db);
        return -1;
    }
    res = PQexec(db->conn, db->act ? "RELEASE act" : "COMMIT");
    db->in_transaction = false;
    if (PQresultStatus(res) != PGRES_COMMAND_OK) {
        ret = db_fail_result(db, res, "COMMIT", e);
    } else if (strcmp(PQcmdStatus(res), "ROLLBACK") == 0) { /* a statement failed, but body returned 0 */
        ret = err_set(e, ERR_INTERNAL, "a transaction continued after a failed statement; nothing was written");
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
        bool retry = db->retry; /* from the body's failed statement; roll_back() overwrites it */

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

int db_part(struct db *db, db_body body, void *ctx, struct err *e)
{
    return db->in_transaction ? body(db, ctx, e) : db_transaction(db, body, ctx, e);
}

void db_act_begin(struct db *db)
{
    db->act = true;
    db->act_wrote = false;
}

void db_act_release(struct db *db)
{
    bool act = db->act, open = db->act_open;

    ASSERT(!db->in_transaction);
    ASSERT(!open || !db->act_wrote);
    db->act = db->act_open = false; /* so that roll_back() ends the transaction, not a part of it */
    if (open)
        roll_back(db);
    db->act = act;
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
        db_fail_unavailable(db, e);
        db_disconnect(db);
        return -1;
    }
    while ((n = PQnotifies(db->conn))) {
        fn(ctx, n->relname, n->extra);
        PQfreemem(n);
    }
    return 0;
}
