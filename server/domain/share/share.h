/* server/domain/share/share.h: what a share link shows: one run, plan or profile, and what hangs on it; nothing
 * else of the team.
 *
 *   run      itself, its jobs and events, and the plan it was made of
 *   plan     itself: samples, file, traces, commands
 *   profile  itself: kernels, histogram, series, spreads, sweep
 *
 * A frozen link shows documents that were kept when it was made (share_freeze()); everything else is absent. With
 * hidden names, every text that is not the farm's own becomes a label that is the same within the link; of events,
 * the parameters that are names (server/store/event/event.h).
 */
#ifndef VIVACE_SERVER_SHARE_H
#define VIVACE_SERVER_SHARE_H

#include "server/app.h"
#include "server/api/http/http.h"

/* Whether the link's credential may make this call: 0, or -1 with ERR_NOT_FOUND or ERR_FORBIDDEN. db may be NULL
 * for routes that are answered without one. */
int share_allow(struct db *db, const struct route *route, const struct request *req, struct err *e) MUST_CHECK;
/* 1: the answer of a frozen link is in *rep; 0: it is not for this call, ask the handler; -1. */
int share_frozen(struct db *db, const struct route *route, const struct request *req, struct reply *rep,
                 struct err *e) MUST_CHECK;
/* Labels instead of names in an answer that is JSON; other answers are refused. */
int share_hide_names(const struct app *app, const struct credential *c, struct reply *rep,
                     struct err *e) MUST_CHECK;
/* Keeps what a new frozen link will show. */
int share_freeze(struct app *app, struct db *db, const struct credential *link, struct err *e) MUST_CHECK;

#endif
