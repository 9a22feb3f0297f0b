/* server/store/db/schema_fence.h: a running server stops using a database that a newer server has upgraded.
 *
 * The statements of this program fit the schema files that it knows. When the database has another file, every
 * statement and every COMMIT fails with ERR_DATABASE from then on, and a function is called once, which ends the
 * server. The server looks when a migration sends a notification (SCHEMA_CHANNEL), after the connection for
 * notifications was lost, and when a statement fails in a way that only a defect or another schema can explain. */
#ifndef VIVACE_SERVER_DB_SCHEMA_FENCE_H
#define VIVACE_SERVER_DB_SCHEMA_FENCE_H

#include <stdbool.h>

#include "base/err.h"

struct db;

/* migrate() sends a notification on this channel with each schema file that it applies. */
#define SCHEMA_CHANNEL "vivace_schema"

/* From now on the server looks. closed(ctx) is called by the thread that finds an unknown file. NULL: the function
 * is not called any more, and it is not running when this returns. */
void schema_fence_watch(void (*closed)(void *ctx), void *ctx);
/* Compares the database's files with those of this program. The connection must not be in a transaction. An error
 * of the database changes nothing. */
void schema_fence_look(struct db *db);
/* As schema_fence_look(), over a new connection. Returns whether the fence is closed. */
bool schema_fence_look_at(const char *conninfo);
/* 0 while the database may be used. -1: *e says why not, with ERR_DATABASE. */
int schema_fence_pass(struct err *e);
/* As schema_fence_pass(), with the error of a server that starts on such a database: ERR_UNSUPPORTED. */
int schema_fence_reason(struct err *e);

#endif
