/* server/domain/run/pilots_internal.h: what pilots.c and pilot_steps.c share. */
#ifndef VIVACE_SERVER_RUN_PILOTS_INTERNAL_H
#define VIVACE_SERVER_RUN_PILOTS_INTERNAL_H

#include "server/store/repo/repo_pilot.h"

/* Moves it and says so to those who follow it: as repo_pilot_move(). In the open transaction, or in one of its own.
 */
int pilot_moved(struct db *db, const char *id, const struct pilot_move *m, wall_us now, struct err *e) MUST_CHECK;
/* Says what state it is in now. */
int pilot_say(struct db *db, const char *id, const char *state, wall_us now, struct err *e) MUST_CHECK;

#endif
