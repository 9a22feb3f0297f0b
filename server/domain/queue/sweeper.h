/* server/domain/queue/sweeper.h: what the leader does each few seconds: dead sessions, overdue jobs, waiting jobs
 * whose leader is gone, old events. One thread, one connection; all of it is harmless if two servers do it.
 *
 * After an outage nobody is dead: sessions are judged only after this server could read and write for as long as a
 * session may be silent. */
#ifndef VIVACE_SERVER_SWEEPER_H
#define VIVACE_SERVER_SWEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/domain/farm.h"
#include "server/domain/queue/archivist.h"

struct sweeper_settings {
    uint32_t dead_after_s;    /* a session that is silent for so long is dead */
    uint32_t overdue_after_s; /* after a job's deadline: the worker enforces it first */
    struct archive_settings archive;
};
/* What the leader has others do; on the sweeper's thread. */
struct sweeper_also {
    void (*jobs_made)(struct farm *farm);                             /* jobs of a large run were created */
    int (*rechecks)(struct farm *farm, struct db *db, struct err *e); /* in each round */
};
struct sweeper;
int sweeper_start(struct farm *farm, const struct sweeper_settings *s, const struct sweeper_also *also,
                  struct sweeper **out, struct err *e);
void sweeper_stop(struct sweeper *s);
/* There is work for the leader: if this server is it, at once, otherwise it sees it within five seconds. */
void sweeper_wake(struct sweeper *s);        /* NULL is fine */
bool sweeper_leads(const struct sweeper *s); /* at its last look; NULL: no */

/* Returns the jobs of sessions that are dead already: for who knows of one and does not want to wait. */
int sweep_dead(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* One sweep at this time; what the thread does. judge_sessions: the farm was reachable long enough. *lost
 * grows by the sessions that were found dead. 1: there is more to archive. */
int sweep(struct db *db, const struct sweeper_settings *s, wall_us now, int judge_sessions, uint64_t *lost,
          struct err *e) MUST_CHECK;

#endif
