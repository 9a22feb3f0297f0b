/* server/domain/queue/archivist.h: what the leader does with runs that are over: their jobs leave the queue's
 * tables, and after long times are deleted, in slices, as much at a time as does not delay the sweep that it shares
 * a thread with. */
#ifndef VIVACE_SERVER_ARCHIVIST_H
#define VIVACE_SERVER_ARCHIVIST_H

#include "server/store/db/db.h"

struct archive_settings { /* seconds after the end of a run, an attempt, an event */
    uint64_t archive_after_s;
    uint64_t keep_jobs_s, keep_attempts_s, keep_events_s; /* 0: for ever */
    uint64_t keep_audit_s;
};
/* 1: there is more to do, so come again soon. */
int archivist_tick(struct db *db, const struct archive_settings *s, wall_us now, struct err *e) MUST_CHECK;

#endif
