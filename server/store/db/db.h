/* server/store/db/db.h: a PostgreSQL connection, prepared statements, transactions. Only this folder and the
 * private cluster (../cluster) use libpq.
 *
 * Statements are in the .sql files of server/store/repo/sql/. A connection prepares all of them when it opens, so
 * an invalid statement stops the server at start. Parameters and results are text; bytea is binary. Only one
 * thread at a time may use a connection. */
#ifndef VIVACE_SERVER_DB_DB_H
#define VIVACE_SERVER_DB_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"

struct db; /* opaque */

struct db_stmt {
    const char *name; /* "job_lease" */
    const char *sql;  /* with explicit casts: $1::uuid, $2::bigint, $3::timestamptz, $4::bytea, $5::text[] */
};
/* Sets the statements that connections prepare when they open. `all` ends with NULL and stays valid. Call it once,
 * before the first db_open(), db_open_hot(), db_new() and db_use_pooler(). */
void db_use_statements(const struct db_stmt *const *all);

/* Connects (libpq connection string or URI), sets defaults that do not depend on the role (UTF-8, UTC,
 * statement_timeout 10 s, lock_timeout 2 s, idle_in_transaction_session_timeout 15 s), and prepares all
 * statements. */
int db_open(const char *conninfo, struct db **out, struct err *e);
/* As db_open(), without prepared statements, for migrations. */
int db_open_plain(const char *conninfo, struct db **out, struct err *e);
/* Connections that are opened with this connection string from now on go through a pooler in transaction mode.
 * They keep no session state between transactions, so statements are sent as text, and the time limits are set for
 * the role. Checks all statements over `direct`, and sets the role's limits there. Call it before any thread
 * starts. */
int db_use_pooler(const char *conninfo, const char *direct, struct err *e);
/* Like db_open(), for a thread that runs the same few statements all the time. Each statement is planned once and
 * uses indexes only. Otherwise planning would take longer than execution, and a plan made while a table was small
 * would still scan the whole table when it is large. */
int db_open_hot(const char *conninfo, struct db **out, struct err *e);
/* Like db_open(), but connects and prepares at the first statement. For threads that continue when the database
 * restarts. */
int db_new(const char *conninfo, struct db **out, struct err *e);
/* For a connection of db_new(), before its first statement: each statement is planned once, not for each set of
 * parameters. For threads whose statements select single rows, where planning takes as long as execution. */
void db_plan_once(struct db *db);
void db_close(struct db *db);
int db_fd(const struct db *db); /* the socket, for LISTEN */

/* --- Parameters: added in order, at most DB_PARAMS. The caller keeps texts valid; numbers are formatted into the
 * structure. --- */
#define DB_PARAMS 40
struct db_params {
    int count;
    const char *value[DB_PARAMS];
    int length[DB_PARAMS]; /* lengths of bytea parameters */
    int binary[DB_PARAMS];
    char number[DB_PARAMS][32];
};
#define DB_PARAMS_INIT                                                                                             \
    {                                                                                                              \
        .count = 0                                                                                                 \
    }
void db_text(struct db_params *p, const char *s); /* NULL: SQL NULL */
void db_i64(struct db_params *p, int64_t x);
void db_u64(struct db_params *p, uint64_t x);  /* for numeric(20) columns: $n::numeric */
void db_double(struct db_params *p, double x); /* NaN: SQL NULL */
void db_bool(struct db_params *p, bool x);
void db_bytes(struct db_params *p, const void *bytes, size_t n);
void db_time(struct db_params *p, wall_us t); /* for $n::timestamptz */

/* --- Results --- */
struct db_rows {
    void *handle; /* PGresult; released by db_rows_release() */
    int count;
    int64_t affected; /* rows written by INSERT, UPDATE, DELETE */
};
bool db_is_null(const struct db_rows *r, int row, int col);
const char *db_get(const struct db_rows *r, int row, int col);   /* "" for NULL; valid until r is released */
int64_t db_get_i64(const struct db_rows *r, int row, int col);   /* 0 for NULL */
uint64_t db_get_u64(const struct db_rows *r, int row, int col);  /* reads numeric(20); 0 for NULL */
double db_get_double(const struct db_rows *r, int row, int col); /* NaN for NULL */
bool db_get_bool(const struct db_rows *r, int row, int col);
wall_us db_get_time(const struct db_rows *r, int row, int col); /* reads timestamptz text in UTC; 0 for NULL */
/* Bytes of a bytea column. The caller frees *out. */
int db_get_bytes(const struct db_rows *r, int row, int col, unsigned char **out, size_t *n, struct err *e);
/* Replaces a value by a copy of n bytes of text. */
int db_set(struct db_rows *r, int row, int col, const char *text, size_t n, struct err *e) MUST_CHECK;
void db_rows_release(struct db_rows *r);

/* Runs a statement of the list. out may be NULL when no rows are wanted. Errors: unique violation
 * ERR_CONFLICT, foreign key ERR_NOT_FOUND, check/not-null/range ERR_INVALID, disk full ERR_NO_SPACE, connection
 * lost or starting up ERR_DATABASE (the connection is opened again on the next call), the rest ERR_INTERNAL. */
int db_query(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct db_rows *out,
             struct err *e) MUST_CHECK;
/* Returns 1 when the statement found or changed rows, 0 when none. The rows are released. */
int db_any(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct err *e);
struct strbuf;
/* Appends the first column of the first row and returns 1. Returns 0 when there is no row. */
int db_text_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct strbuf *out,
               struct err *e) MUST_CHECK;
/* Like db_query() with the statement's text. For migrations and rarely used statements. sql must not contain text
 * of a client. */
int db_query_text(struct db *db, const char *sql, const struct db_params *p, struct db_rows *out,
                  struct err *e) MUST_CHECK;
/* Runs a statement or several, given as text, without parameters. For migrations, LISTEN and similar commands. sql
 * must not contain text of a client. */
int db_exec_text(struct db *db, const char *sql, struct err *e) MUST_CHECK;

/* Runs body(ctx) in a transaction and commits. After a serialization failure, a deadlock or a lock time-out it
 * repeats the whole transaction (up to 5 times, with jitter). A connection lost during COMMIT is ERR_DATABASE with
 * an unknown outcome, so body must be safe to repeat. body returns 0 to commit, -1 to roll back, 1 to roll back
 * and return 1. */
typedef int (*db_body)(struct db *db, void *ctx, struct err *e);
int db_transaction(struct db *db, db_body body, void *ctx, struct err *e) MUST_CHECK;
/* Runs body(ctx) inside the open transaction, or in a new one if none is open. For a body that reads several rows
 * of the same snapshot. */
int db_part(struct db *db, db_body body, void *ctx, struct err *e) MUST_CHECK;

/* Joins a change and its audit record. Until db_act_end(), everything on this connection belongs to one
 * transaction, which the first statement begins. db_transaction() is a savepoint inside it. A failed statement
 * undoes only itself. Use it for short work without computation. The order of locks applies to the whole
 * transaction. */
void db_act_begin(struct db *db);
/* Commits or rolls back. -1: the outcome may be unknown, as in db_transaction(). */
int db_act_end(struct db *db, bool commit, struct err *e) MUST_CHECK;
/* Ends the act's transaction, which has only read so far. The next statement begins another one. Call it before
 * work that takes long: until the next statement the connection holds no lock and no snapshot, and a pooler may
 * give it to others. What was read before may have changed afterwards. Without an act it does nothing. */
void db_act_release(struct db *db);

/* The time when this process last got a disk-full error from the database (monotonic; 0: never), the number of
 * repeated transactions, and the number of reconnections. */
uint64_t db_disk_full_us(void);
uint64_t db_retries(void);
uint64_t db_reconnects(void);

/* Calls fn for each notification that has arrived on a channel of LISTEN. Never blocks. */
typedef void (*db_notify_fn)(void *ctx, const char *channel, const char *payload);
int db_notifications(struct db *db, db_notify_fn fn, void *ctx, struct err *e);

/* Builds the text of a PostgreSQL array literal from C strings ("{\"a\",\"b\"}"), for $n::text[] and casts of
 * it. */
void db_array_begin(struct strbuf *b);
void db_array_add(struct strbuf *b, const char *s); /* NULL: SQL NULL */
void db_array_add_i64(struct strbuf *b, int64_t x);
void db_array_add_u64(struct strbuf *b, uint64_t x);
void db_array_add_double(struct strbuf *b, double x); /* NaN: SQL NULL */
void db_array_end(struct strbuf *b);

/* A version-7 UUID (RFC 9562) from the clock and the system's random numbers, for public ids. */
#define UUID_TEXT 37
void uuid_make(struct clock *c, char out[UUID_TEXT]);
bool uuid_valid(const char *s);

#endif
