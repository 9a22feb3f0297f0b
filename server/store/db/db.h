/* server/store/db/db.h: one PostgreSQL connection, prepared statements, transactions. The only user of libpq
 * besides the private cluster's starter.
 *
 * Statements are in the .sql files of server/store/repo/sql/. A connection prepares all of them when it opens, so a
 * typo stops the server at start. Parameters and results travel as text, bytea as bytes. A connection belongs to
 * one thread at a time. */
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
/* The statements that connections prepare when they open: a list that ends with NULL, and stays. Once, before the
 * first db_open(), db_open_hot(), db_new() and db_use_pooler(). */
void db_use_statements(const struct db_stmt *const *all);

/* Connects (libpq connection string or URI), sets role-independent defaults (UTF-8, UTC, statement_timeout 10 s,
 * lock_timeout 2 s, idle_in_transaction_session_timeout 15 s), prepares all statements. */
int db_open(const char *conninfo, struct db **out, struct err *e);
/* The same without preparing: migrations use it. */
int db_open_plain(const char *conninfo, struct db **out, struct err *e);
/* Connections that are opened by this text from now on go through a pooler in transaction mode: they have no memory
 * from one transaction to the next, so statements travel with their text, and time limits are the role's. Checks by
 * `direct` that all statements are right, and sets the role's limits there. Before any thread starts. */
int db_use_pooler(const char *conninfo, const char *direct, struct err *e);
/* The same as db_open for a thread that runs the same few statements all day: each is planned once, by its indexes
 * alone. The planner would otherwise take longer over them than they run, and a plan that was made while a table
 * was small would still read all of it when it is large. */
int db_open_hot(const char *conninfo, struct db **out, struct err *e);
/* As db_open, but connects (and prepares) at the first statement: for threads that outlive the database. */
int db_new(const char *conninfo, struct db **out, struct err *e);
/* For a connection of db_new(), before its first statement: each statement is planned once, not for each of its
 * parameters. For threads whose statements name single things: there planning takes as long as the work. */
void db_plan_once(struct db *db);
void db_close(struct db *db);
int db_fd(const struct db *db); /* the socket, for LISTEN */

/* --- Parameters: filled in order; at most DB_PARAMS. Text is borrowed, numbers are formatted into the struct. */
#define DB_PARAMS 40
struct db_params {
    int count;
    const char *value[DB_PARAMS];
    int length[DB_PARAMS]; /* of bytea */
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
const char *db_get(const struct db_rows *r, int row, int col);   /* "" for NULL; lives as long as r */
int64_t db_get_i64(const struct db_rows *r, int row, int col);   /* 0 for NULL */
uint64_t db_get_u64(const struct db_rows *r, int row, int col);  /* of numeric(20); 0 for NULL */
double db_get_double(const struct db_rows *r, int row, int col); /* NaN for NULL */
bool db_get_bool(const struct db_rows *r, int row, int col);
wall_us db_get_time(const struct db_rows *r, int row, int col); /* of timestamptz text in UTC; 0 for NULL */
/* Bytes of a bytea column, malloc'ed. */
int db_get_bytes(const struct db_rows *r, int row, int col, unsigned char **out, size_t *n, struct err *e);
/* Replaces a value: n bytes of text, copied. */
int db_set(struct db_rows *r, int row, int col, const char *text, size_t n, struct err *e) MUST_CHECK;
void db_rows_release(struct db_rows *r);

/* Runs a statement of the list. out may be NULL when no rows are wanted. Errors: unique violation
 * ERR_CONFLICT, foreign key ERR_NOT_FOUND, check/not-null/range ERR_INVALID, disk full ERR_NO_SPACE, connection
 * lost or starting up ERR_DATABASE (the connection is opened again on the next call), the rest ERR_INTERNAL. */
int db_query(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct db_rows *out,
             struct err *e) MUST_CHECK;
/* 1: db_query found or changed rows; 0: none. The rows themselves are let go. */
int db_any(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct err *e);
struct strbuf;
/* Appends the first column of the first row: 1; 0: there is no row. */
int db_text_of(struct db *db, const struct db_stmt *stmt, const struct db_params *p, struct strbuf *out,
               struct err *e) MUST_CHECK;
/* As db_query with the statement itself: migrations, and statements that are not hot. Never with foreign text in
 * sql. */
int db_query_text(struct db *db, const char *sql, const struct db_params *p, struct db_rows *out,
                  struct err *e) MUST_CHECK;
/* One statement given as text: migrations, LISTEN, COPY-free odd jobs. Never with foreign text inside. */
int db_exec_text(struct db *db, const char *sql, struct err *e) MUST_CHECK;

/* Runs body(ctx) inside one transaction and commits. Serialisation failures, deadlocks and lock time-outs repeat
 * the whole (5 times, with jitter); a connection lost during COMMIT is ERR_DATABASE, its outcome unknown, so body
 * must be right when it is done again. body returns 0 to commit, -1 to roll back, 1 to roll back and return 1. */
typedef int (*db_body)(struct db *db, void *ctx, struct err *e);
int db_transaction(struct db *db, db_body body, void *ctx, struct err *e) MUST_CHECK;
/* Runs body(ctx) as a part of the transaction that is open, or in one of its own. For what reads several rows as of
 * one moment, and is called by both kinds. */
int db_part(struct db *db, db_body body, void *ctx, struct err *e) MUST_CHECK;

/* An act and what is written about it: until db_act_end() everything on this connection belongs to one transaction,
 * which the first statement begins. Inside, db_transaction() is a savepoint, and a statement that fails undoes
 * itself alone. For short acts: nothing is computed meanwhile, and the order of locks is that of all of it
 * together. */
void db_act_begin(struct db *db);
/* Commits, or rolls back. -1: as db_transaction(), its outcome may be unknown. */
int db_act_end(struct db *db, bool commit, struct err *e) MUST_CHECK;

/* When this process last noticed that the database's disk is full (monotonic; 0: never), and how often it did
 * something again: transactions that lost against others, connections that were lost. */
uint64_t db_disk_full_us(void);
uint64_t db_retries(void);
uint64_t db_reconnects(void);

/* Notifications received by LISTEN: calls back for each that has arrived; never blocks. */
typedef void (*db_notify_fn)(void *ctx, const char *channel, const char *payload);
int db_notifications(struct db *db, db_notify_fn fn, void *ctx, struct err *e);

/* Text of a PostgreSQL array literal from C strings ("{\"a\",\"b\"}"), for $n::text[] and casts of it. */
void db_array_begin(struct strbuf *b);
void db_array_add(struct strbuf *b, const char *s); /* NULL: SQL NULL */
void db_array_add_i64(struct strbuf *b, int64_t x);
void db_array_add_u64(struct strbuf *b, uint64_t x);
void db_array_add_double(struct strbuf *b, double x); /* NaN: SQL NULL */
void db_array_end(struct strbuf *b);

/* Version-7 UUID (RFC 9562) from the clock and the system's random numbers: ids shown outside. */
#define UUID_TEXT 37
void uuid_make(struct clock *c, char out[UUID_TEXT]);
bool uuid_valid(const char *s);

#endif
