/* server/domain/queue/peer_notify.h: notifies the other servers of the same database that a job may be ready. It
 * uses LISTEN and NOTIFY on a connection of its own, at most ten times a second. (A NOTIFY inside the other
 * transactions would serialize their commits.) A notification is only a hint: a server that misses it finds the
 * job at its next check, a second later. */
#ifndef VIVACE_SERVER_HINTS_H
#define VIVACE_SERVER_HINTS_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

struct peer_notify;
int peer_notify_start(struct farm *farm, const char *conninfo, struct peer_notify **out, struct err *e);
/* Thread-safe; returns at once. NULL is allowed. */
void peer_notify(struct peer_notify *h);
void peer_notify_stop(struct peer_notify *h);
/* For /metrics. */
void peer_notify_metrics(struct peer_notify *h, struct strbuf *out);

#endif
