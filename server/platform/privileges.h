/* server/platform/privileges.h: a server that was started as root makes its folder and then stops being root, for
 * good. */
#ifndef VIVACE_SERVER_PRIVILEGES_H
#define VIVACE_SERVER_PRIVILEGES_H

#include "base/err.h"
#include "server/platform/config.h"

/* Makes the state folder (0700). As root: gives it to the user to become (--user; else the owner of an existing
 * folder, vivace, postgres), and becomes that user. What that user may not reach by path (the simulator in a home
 * folder) is opened before and goes by its descriptor afterwards: c->vivace_sim changes then. */
int privileges_settle(struct server_config *c, struct err *e);
/* One server a state folder: an flock that lives as long as this process. */
int state_lock(const char *state, struct err *e);

#endif
