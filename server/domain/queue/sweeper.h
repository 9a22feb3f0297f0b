/* server/domain/queue/sweeper.h: periodic work of the leader, every few seconds: expires dead sessions, overdue
 * jobs, waiting jobs whose leading job is gone, and old events. It has one thread and one connection. Two servers
 * that do it at once do no harm.
 *
 * After an outage no session is expired until this server could read and write for the session timeout. */
#ifndef VIVACE_SERVER_SWEEPER_H
#define VIVACE_SERVER_SWEEPER_H

#include <stdbool.h>
#include <stdint.h>

#include "server/domain/farm.h"
#include "server/domain/queue/archivist.h"

struct sweeper_settings {
    uint32_t dead_after_s;    /* a session without a heartbeat for this time is dead */
    uint32_t overdue_after_s; /* after a job's deadline; the worker enforces the deadline first */
    struct archive_settings archive;
};
/* Callbacks for work of other modules. The sweeper's thread calls them. */
struct sweeper_also {
    void (*jobs_made)(struct farm *farm);                             /* jobs of a large run were created */
    int (*rechecks)(struct farm *farm, struct db *db, struct err *e); /* called in each sweep */
    /* Cancels runs whose time has come. *next: time of the next one, if there is one. Called in each sweep. */
    int (*cancels)(struct farm *farm, struct db *db, wall_us *next, struct err *e);
};
struct sweeper;
int sweeper_start(struct farm *farm, const struct sweeper_settings *s, const struct sweeper_also *also,
                  struct sweeper **out, struct err *e);
void sweeper_stop(struct sweeper *s);
/* There is work for the leader. If this server is the leader, the sweep begins at once; otherwise the leader
 * finds it within five seconds. */
void sweeper_wake(struct sweeper *s);        /* NULL is fine */
bool sweeper_leads(const struct sweeper *s); /* at its last check; NULL: false */

/* Returns the jobs of sessions that are dead already, without waiting for the next sweep. */
int sweep_dead(struct db *db, wall_us now, struct err *e) MUST_CHECK;
/* Runs one sweep at the given time. judge_sessions: the farm was reachable long enough to expire sessions. Adds
 * the number of expired sessions to *lost. 1: there is more to archive. */
int sweep(struct db *db, const struct sweeper_settings *s, wall_us now, int judge_sessions, uint64_t *lost,
          struct err *e) MUST_CHECK;

#endif
