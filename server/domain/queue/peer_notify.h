/* server/domain/queue/peer_notify.h: what one server tells the others of the same database: something may have
 * become ready. By LISTEN and NOTIFY, on a connection of its own, at most ten times a second: within a transaction
 * that matters a NOTIFY would make commits wait for each other. Only a hint: who misses one finds the job at his
 * next look, a second later. */
#ifndef VIVACE_SERVER_HINTS_H
#define VIVACE_SERVER_HINTS_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

struct peer_notify;
int peer_notify_start(struct farm *farm, const char *conninfo, struct peer_notify **out, struct err *e);
/* From any thread; returns at once. NULL is fine. */
void peer_notify(struct peer_notify *h);
void peer_notify_stop(struct peer_notify *h);
/* For /metrics. */
void peer_notify_metrics(struct peer_notify *h, struct strbuf *out);

#endif
