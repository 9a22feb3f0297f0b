/* server/platform/restart.h: on SIGUSR2 or SIGHUP the server restarts in place with exec: with the program that is
 * now at its path (after an upgrade) and with the current settings. No connection is refused. It finishes its
 * requests and keeps the listening socket (new connections wait in it) and the private database. The process id
 * does not change, so a supervisor sees no restart. It reports settings that a restart cannot change: `listen` and
 * the location of a private database. */
#ifndef VIVACE_SERVER_RESTART_H
#define VIVACE_SERVER_RESTART_H

#include "base/err.h"
#include "server/platform/config.h"

/* The command that makes a program check its settings without a start. It prints the database's connection
 * string. */
#define RESTART_PROBE "check-settings"

/* Stores the command line and the path of the program. Call it first in main(). */
void restart_remember(int argc, char **argv);
/* Checks that the program at that path would start with the current settings as this user. database: connection
 * string of the private database, which must stay the same; NULL: there is none. */
int restart_try(const struct server_config *c, const char *database, struct err *e);
/* Executes the program. All parts except the socket are stopped and closed before. Returns only on an error. */
int restart_now(int listen_fd, struct err *e);

#endif
