/* worker/last_session.h: the id of the worker's session, stored in the state folder. The next worker in this folder
 * sends it, so that the server ends the old session and requeues its jobs. */
#ifndef VIVACE_WORKER_LAST_SESSION_H
#define VIVACE_WORKER_LAST_SESSION_H

#include "wire/lease.h"

void last_session_read(const char *state, char id[WIRE_ID]); /* id: "" where there is none */
void last_session_keep(const char *state, const char *id);
void last_session_forget(const char *state); /* call this after a session that ended normally */

#endif
