/* tests/scenario/database.h: a private PostgreSQL for scenarios, and libpq as the servers use it.
 *
 * There is one cluster per process, without fsync, because no data outlives the process. The schema is the real
 * one, except that gen_random_uuid() in its functions is replaced by a counter, so that ids depend on the seed.
 * Connections are reused by later servers with their prepared statements, because preparing all statements takes
 * longer than a scenario.
 *
 * The linker redirects the servers' calls of libpq to this file (--wrap). A statement takes virtual time, during
 * which other fibers run. A statement that waits for a lock lets the lock's owner run. The seed may close the
 * connection before or after a statement. */
#ifndef VIVACE_TESTS_SCENARIO_DATABASE_H
#define VIVACE_TESTS_SCENARIO_DATABASE_H

#include <stdint.h>

#include <libpq-fe.h>

#include "base/err.h"

/* Starts the cluster in `folder` and creates the schema. The rows that make() stores exist in every scenario. */
int database_start(const char *folder, int (*make)(void *ctx, struct err *e), void *ctx, struct err *e);
void database_stop(void);
const char *database_conninfo(void);
/* Restores the state after make(). */
int database_reset(struct err *e);
/* A server died: its transactions are rolled back and its connections become available. */
void database_leave(int owner);
/* Closes all connections of a server, even during a statement. It may connect again at once. */
void database_cut(int owner);

/* Queries of the checks, outside of virtual time: ask("SELECT ... $1 ...", "text"). The caller clears the result.
 */
#define ask(...)        ask_all((const char *const[]){__VA_ARGS__, NULL})
#define ask_number(...) ask_all_number((const char *const[]){__VA_ARGS__, NULL})
PGresult *ask_all(const char *const *sql_and_values);
int64_t ask_all_number(const char *const *sql_and_values); /* first column of the first row; 0 if there is no row */

#endif
