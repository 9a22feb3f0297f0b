/* server/domain/operate/watch.h: monitors the farm every few seconds, on a thread with its own connection: old
 * database snapshots (they keep dead rows in the queue, so claims get slow), clocks that differ or jump, and
 * free disk space. The results are in /metrics, and in the log when an operator must act. */
#ifndef VIVACE_SERVER_WATCH_H
#define VIVACE_SERVER_WATCH_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

#define WATCH_SNAPSHOT_S 60 /* seconds; a snapshot that is open longer is logged */

struct watch;

int watch_start(struct farm *farm, struct watch **out, struct err *e);
void watch_stop(struct watch *w); /* NULL is fine */
void watch_metrics(struct watch *w, struct strbuf *out);

/* Whether there is room to begin new work. -1 with ERR_NO_SPACE: the disk of the stored files is down to its
 * reserve, or the database has reported a full disk within 30 s. Work that has begun continues, because results
 * need little room. */
int watch_room(struct farm *farm, struct err *e) MUST_CHECK;

#endif
