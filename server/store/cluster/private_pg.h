/* server/store/cluster/private_pg.h: a PostgreSQL of our own in the state folder, reached by a unix socket alone.
 *
 *   STATE/postgres/data     the cluster: checksums, UTF-8, C collation, peer authentication, fsync
 *   STATE/postgres/log      its log, by weekday
 *   STATE/run               the socket's folder (or one under /tmp where that path is too long)
 *
 * A postmaster that a killed server left behind is taken over. One that dies is started again. */
#ifndef VIVACE_SERVER_PRIVATE_PG_H
#define VIVACE_SERVER_PRIVATE_PG_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "server/platform/config.h"

struct private_pg; /* opaque */

/* Starts it (initdb first, where there is none) and waits until it answers. */
int private_pg_start(const struct server_config *c, struct private_pg **out, struct err *e);
const char *private_pg_conninfo(const struct private_pg *pg);
bool private_pg_running(struct private_pg *pg);
/* Frees what is known of it and lets it run: the next server on this folder takes it over. */
void private_pg_leave(struct private_pg *pg);
/* Fast shutdown; after 30 s an immediate one. NULL is fine. */
void private_pg_stop(struct private_pg *pg);
/* Whether the settings allow a private database. */
int private_pg_possible(const struct server_config *c, struct err *e);
/* What private_pg_start() would connect to, without starting anything. conninfo: 600 bytes. */
int private_pg_address(const struct server_config *c, char conninfo[600], struct err *e);
/* The folder of PostgreSQL's programs: the setting, what pg_config says, or the newest installed. */
int private_pg_programs(const struct server_config *c, char folder[PATH_MAX], struct err *e);

#endif
