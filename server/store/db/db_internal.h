/* Internal header of server/store/db/db*.c: the structure of a connection. */
#ifndef VIVACE_SERVER_DB_INTERNAL_H
#define VIVACE_SERVER_DB_INTERNAL_H

#include <libpq-fe.h>

#include "server/store/db/db.h"

struct db {
    PGconn *conn; /* NULL: not connected */
    char *conninfo;
    bool prepare; /* prepare all statements after connecting */
    bool hot;     /* set by db_open_hot() */
    bool once;    /* set by db_plan_once() */
    bool pooled;
    bool in_transaction;
    bool act, act_open;    /* act: db_act_begin() was called; act_open: its transaction has begun */
    bool act_wrote;        /* a statement of the act has written rows */
    bool connected_before; /* ensure_connected() has connected before, so the next time counts as a reconnection */
    bool opening;          /* the caller opens the connection once and does not try again */
    bool retry;            /* the last error allows a repetition of the transaction */
};

/* db_error.c: each sets *e and returns -1. */
int db_fail_unavailable(struct db *db, struct err *e);
/* Converts a failed result. Sets db->retry if the transaction may be repeated. Logs the statement's name, never
 * its parameters. */
int db_fail_result(struct db *db, const PGresult *res, const char *stmt, struct err *e);
/* "first line\nsecond" -> "first line" */
const char *db_first_line(const char *s, char *out, size_t size);

/* db_connect.c */
int db_connect_now(struct db *db, struct err *e);
void db_disconnect(struct db *db);

#endif
