/* server/operate/restart.h: a server that becomes the program that now stands under its name (after an upgrade),
 * without a connection refused: SIGUSR2. It finishes what it has, keeps the listening socket (connections wait in
 * it) and the private database, and executes itself; same process, so no supervisor notices. */
#ifndef VIVACE_SERVER_RESTART_H
#define VIVACE_SERVER_RESTART_H

#include "base/err.h"
#include "server/config.h"

/* Remembers the command line, and where the program stands. Call first in main(). */
void restart_remember(int argc, char **argv);
/* Whether the program that stands there now would start with these settings, as this user. */
int restart_try(const struct server_config *c, struct err *e);
/* Does not come back when all is well. Everything but the socket has been stopped and closed. */
int restart_now(int listen_fd, struct err *e);

#endif
