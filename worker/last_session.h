/* worker/last_session.h: the session that the worker in this state folder has, for the next one that is started in
 * it: by its name the server knows that the jobs of the old one are free. */
#ifndef VIVACE_WORKER_LAST_SESSION_H
#define VIVACE_WORKER_LAST_SESSION_H

#include "wire/lease.h"

void last_session_read(const char *state, char id[WIRE_ID]); /* "" where there is none */
void last_session_keep(const char *state, const char *id);
void last_session_forget(const char *state); /* it ended well: nothing is left of it */

#endif
