/* server/queue/hints.h: what one server tells the others of the same database: something may have become ready. By
 * LISTEN and NOTIFY, on a connection of its own, at most ten times a second: within a transaction that matters a
 * NOTIFY would make commits wait for each other. Only a hint: who misses one finds the job at his next look, a
 * second later. */
#ifndef VIVACE_SERVER_HINTS_H
#define VIVACE_SERVER_HINTS_H

#include "base/strbuf.h"
#include "server/app.h"

struct hints;
int hints_start(struct app *app, const char *conninfo, struct hints **out, struct err *e);
/* From any thread; returns at once. NULL is fine. */
void hints_say(struct hints *h);
void hints_stop(struct hints *h);
/* For /metrics. */
void hints_metrics(struct hints *h, struct strbuf *out);

#endif
