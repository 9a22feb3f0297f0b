/* server/platform/restart.h: a server that becomes the program that now has its name (after an upgrade),
 * with the settings of now, without a connection refused: SIGUSR2 or SIGHUP. It finishes what it has, keeps the
 * listening socket (connections wait in it) and the private database, and executes itself; same process, so no
 * supervisor notices. Settings that this cannot change, `listen` and where a private database is, are reported. */
#ifndef VIVACE_SERVER_RESTART_H
#define VIVACE_SERVER_RESTART_H

#include "base/err.h"
#include "server/platform/config.h"

/* The word by which a program is asked whether it would start; it prints how its database is reached. */
#define RESTART_PROBE "check-settings"

/* Remembers the command line, and the path of the program. Call first in main(). */
void restart_remember(int argc, char **argv);
/* Whether the program of that path would start with the settings of now, as this user. database: how a
 * private database is reached, which it must keep; NULL where there is none. */
int restart_try(const struct server_config *c, const char *database, struct err *e);
/* Does not come back when all is well. Everything but the socket has been stopped and closed. */
int restart_now(int listen_fd, struct err *e);

#endif
