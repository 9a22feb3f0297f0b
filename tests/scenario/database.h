/* tests/scenario/database.h: a private PostgreSQL for scenarios, and libpq as the servers see it.
 *
 * One cluster a process, without fsync, because nothing of it outlives the process. The schema is the real one;
 * only gen_random_uuid() within its functions gives way to a numbered one, so that ids come from the seed.
 * Connections are kept from server to server with their prepared statements: preparing all of them takes longer
 * than a scenario.
 *
 * What servers say to libpq comes through here (--wrap): a statement takes virtual time, in which others run; one
 * that waits for a lock of another lets that one run; and the seed may cut the connection before or after it. */
#ifndef VIVACE_TESTS_SCENARIO_DATABASE_H
#define VIVACE_TESTS_SCENARIO_DATABASE_H

#include <stdint.h>

#include <libpq-fe.h>

#include "base/err.h"

/* Starts the cluster in `folder` and makes the schema; what make() stores belongs to every scenario. */
int database_start(const char *folder, int (*make)(void *ctx, struct err *e), void *ctx, struct err *e);
void database_stop(void);
const char *database_conninfo(void);
/* As it was after make(). */
int database_reset(struct err *e);
/* A server died: its transactions are rolled back, its connections are free. */
void database_leave(int owner);
/* Cuts all connections of a server in whatever they do; it may connect again at once. */
void database_cut(int owner);

/* The checkers' own questions, outside of virtual time: ask("SELECT ... $1 ...", "text"). The caller clears. */
#define ask(...)        ask_all((const char *const[]){__VA_ARGS__, NULL})
#define ask_number(...) ask_all_number((const char *const[]){__VA_ARGS__, NULL})
PGresult *ask_all(const char *const *sql_and_values);
int64_t ask_all_number(const char *const *sql_and_values); /* first column of the first row; 0 without one */

#endif
