/* server/domain/queue/archivist.h: the leader archives ended runs: their jobs move out of the queue's tables,
 * and are deleted after a retention time. The work is done in slices, because the sweep uses the same thread. */
#ifndef VIVACE_SERVER_ARCHIVIST_H
#define VIVACE_SERVER_ARCHIVIST_H

#include "server/store/db/db.h"

struct archive_settings { /* retention times in seconds after the end of a run or attempt, or after an event */
    uint64_t archive_after_s;
    uint64_t keep_jobs_s, keep_attempts_s, keep_events_s; /* 0: forever */
    uint64_t keep_audit_s;
};
/* 1: there is more to do, so call it again soon. */
int archivist_tick(struct db *db, const struct archive_settings *s, wall_us now, struct err *e) MUST_CHECK;

#endif
