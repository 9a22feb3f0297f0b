/* server/domain/operate/watch.h: looks after the farm's ground every few seconds, on a thread and a connection of
 * its own: a snapshot that somebody holds (it keeps dead rows of the queue: claims get slow), clocks that differ or
 * jump, room on the disks. What it finds is in /metrics, and in the log when it needs somebody. */
#ifndef VIVACE_SERVER_WATCH_H
#define VIVACE_SERVER_WATCH_H

#include "base/strbuf.h"
#include "server/domain/farm.h"

#define WATCH_SNAPSHOT_S 60 /* held so long, a snapshot is named in the log */

struct watch;

int watch_start(struct farm *farm, struct watch **out, struct err *e);
void watch_stop(struct watch *w); /* NULL is fine */
void watch_metrics(struct watch *w, struct strbuf *out);

/* Is there room to begin something new? -1 with ERR_NO_SPACE: the disk of the stored files is at its reserve, or
 * the database said in the last half minute that its own is full. What has begun goes on: results need little room.
 */
int watch_room(struct farm *farm, struct err *e) MUST_CHECK;

#endif
