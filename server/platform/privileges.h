/* server/platform/privileges.h: a server that was started as root creates its state folder and then gives up root
 * privileges permanently. */
#ifndef VIVACE_SERVER_PRIVILEGES_H
#define VIVACE_SERVER_PRIVILEGES_H

#include "base/err.h"
#include "server/platform/config.h"

/* Creates the state folder (0700). If the process is root, it gives the folder to the user of --user (else the
 * owner of an existing folder, else vivace, else postgres) and becomes that user. If that user cannot reach the
 * simulator by its path (in a home folder, for example), it is opened before, and c->vivace_sim becomes the path
 * of its descriptor. */
int privileges_settle(struct server_config *c, struct err *e);
/* Locks the state folder with flock until the process ends, so that only one server uses it. ERR_BUSY. */
int state_lock(const char *state, struct err *e);

#endif
