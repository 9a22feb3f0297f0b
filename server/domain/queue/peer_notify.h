/* server/domain/queue/peer_notify.h: notifications between the servers of one database, by LISTEN and NOTIFY on a
 * connection of its own.
 *
 *   vivace_ready   a job may be ready; at most ten times a second. (A NOTIFY inside the other transactions would
 *                  serialize their commits.) It is only a hint: a server that misses it finds the job at its next
 *                  check, a second later
 *   vivace_access  a token, session, role, account or share link changed: this server looks all of them up again.
 *                  The statements that change them notify (server/store/repo/sql), so it arrives with the commit.
 *                  While the connection is lost, a change can take ten seconds (access.c) */
#ifndef VIVACE_SERVER_HINTS_H
#define VIVACE_SERVER_HINTS_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

struct peer_notify;
int peer_notify_start(struct farm *farm, const char *conninfo, struct peer_notify **out, struct err *e);
/* Thread-safe; returns at once. NULL is allowed. */
void peer_notify(struct peer_notify *h);
void peer_notify_stop(struct peer_notify *h);
/* Appends its metrics, for /metrics. */
void peer_notify_metrics(struct peer_notify *h, struct strbuf *out);

#endif
