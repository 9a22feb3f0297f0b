/* For server/store/db/db*.c alone: one connection from inside. */
#ifndef VIVACE_SERVER_DB_INTERNAL_H
#define VIVACE_SERVER_DB_INTERNAL_H

#include <libpq-fe.h>

#include "server/store/db/db.h"

struct db {
    PGconn *conn; /* NULL: not connected */
    char *conninfo;
    bool prepare; /* prepare all statements after connecting */
    bool hot;     /* db_open_hot() */
    bool once;    /* db_plan_once() */
    bool pooled;
    bool in_transaction;
    bool act, act_open;    /* db_act_begin() was called; its transaction has begun */
    bool connected_before; /* by ensure_connected(): the next time is a reconnection */
    bool retry;            /* the last error is one of those that repeat a transaction */
};

/* db_error.c: each fills *e and answers -1. */
int db_fail_unavailable(struct db *db, struct err *e);
/* From a failed result; db->retry tells whether the transaction may be repeated. What was sent is never logged,
 * only the statement's name. */
int db_fail_result(struct db *db, const PGresult *res, const char *stmt, struct err *e);
/* "first line\nsecond" -> "first line" */
const char *db_first_line(const char *s, char *out, size_t size);

/* db_connect.c */
int db_connect_now(struct db *db, struct err *e);
void db_disconnect(struct db *db);

#endif
