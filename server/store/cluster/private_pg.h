/* server/store/cluster/private_pg.h: the server's own PostgreSQL in the state folder, reached only by a unix
 * socket.
 *
 *   STATE/postgres/data     the cluster: checksums, UTF-8, C collation, peer authentication, fsync
 *   STATE/postgres/log      its log, by weekday
 *   STATE/run               the socket's folder (or one under /tmp where that path is too long)
 *
 * If a killed server left a postmaster running, the next server uses it. A postmaster that dies is started again.
 */
#ifndef VIVACE_SERVER_PRIVATE_PG_H
#define VIVACE_SERVER_PRIVATE_PG_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "server/platform/config.h"

struct private_pg; /* opaque */

/* Starts the database and waits until it answers. Runs initdb first if there is no cluster. */
int private_pg_start(const struct server_config *c, struct private_pg **out, struct err *e);
const char *private_pg_conninfo(const struct private_pg *pg);
bool private_pg_running(struct private_pg *pg);
/* Frees pg and keeps the database running. The next server on this folder uses it. */
void private_pg_leave(struct private_pg *pg);
/* Fast shutdown; after 30 s an immediate one. pg may be NULL. */
void private_pg_stop(struct private_pg *pg);
/* 0: the settings allow a private database. -1: *e has the reason. */
int private_pg_possible(const struct server_config *c, struct err *e);
/* The connection string that private_pg_start() would use. Starts nothing. conninfo: 600 bytes. */
int private_pg_address(const struct server_config *c, char conninfo[600], struct err *e);
/* The folder of PostgreSQL's programs: the setting, else the answer of pg_config, else the newest installed
 * version. */
int private_pg_programs(const struct server_config *c, char folder[PATH_MAX], struct err *e);

#endif
