/* server/domain/operate/maintenance.h: `vivace-server WORD`: maintenance commands, with a running server or
 * without one. */
#ifndef VIVACE_SERVER_MAINTENANCE_H
#define VIVACE_SERVER_MAINTENANCE_H

#include <stdbool.h>

#include "server/domain/farm.h"

struct server_config;

/* Opens the farm's database: the given one, that of a running server, or one that is started for this command.
 * `own`: the caller has the lock of the state folder, so no server uses it. */
struct private_pg;
struct maintenance_database {
    const char *conninfo;
    struct private_pg *started;
    char address[600];
};
int maintenance_database_open(const struct server_config *c, struct maintenance_database *out, bool own,
                              struct err *e);
void maintenance_database_close(struct maintenance_database *d);

bool maintenance_knows(const char *word);
/* Runs the command and prints a summary on stdout. Call it after privileges_settle(). */
int maintenance_run(struct farm *farm, const struct server_config *c, const char *word, struct err *e);

#endif
