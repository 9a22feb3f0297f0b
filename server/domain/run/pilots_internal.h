/* server/domain/run/pilots_internal.h: functions that pilots.c and pilot_steps.c share. */
#ifndef VIVACE_SERVER_RUN_PILOTS_INTERNAL_H
#define VIVACE_SERVER_RUN_PILOTS_INTERNAL_H

#include "server/store/repo/repo_pilot.h"

/* Changes the pilot's state and sends an event to its subscribers; returns what repo_pilot_move() returns. Uses
 * the open transaction, or one of its own. */
int pilot_moved(struct db *db, const char *id, const struct pilot_move *m, wall_us now, struct err *e) MUST_CHECK;
/* Sends an event with the pilot's present state. */
int pilot_say(struct db *db, const char *id, const char *state, wall_us now, struct err *e) MUST_CHECK;

#endif
