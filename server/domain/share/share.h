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

#include <jansson.h>

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

/* What a share link may read of a route (x-share in api/). */
enum share_reach {
    SHARE_NOTHING, /* refused: 403 */
    SHARE_HIDDEN,  /* part of something that can be shared, but not shown: 404 */
    SHARE_ALWAYS,
    SHARE_RUN, /* only of the run that is shared; likewise below */
    SHARE_JOB,
    SHARE_PLAN,
    SHARE_PROFILE,
    SHARE_EVENTS
};
/* Whether the link of this credential shows it: 1, 0, -1. `id`: of the run, job, plan or profile; `topics`: of
 * SHARE_EVENTS, or NULL. db may be NULL for what is answered without one. */
int share_reaches(struct db *db, const struct credential *c, enum share_reach reach, const char *id,
                  const char *topics, struct err *e) MUST_CHECK;

/* Where documents come from that a frozen link keeps: the address is a path of the API with its query. */
struct share_source {
    int (*get)(void *ctx, struct db *db, const struct credential *who, const char *address, struct strbuf *out,
               struct err *e);
    void *ctx;
};
/* Keeps what a new frozen link will show. */
int share_freeze(const struct share_source *from, struct db *db, const struct credential *link,
                 struct err *e) MUST_CHECK;

/* The farm's secret that labels are made with. */
struct share_key {
    const unsigned char *bytes;
    size_t size;
};
/* The document with labels in place of names: a new reference, often to `document`, which is changed in place. */
json_t *share_hide(const struct share_key *key, int64_t share, json_t *document, struct err *e) MUST_CHECK;

#endif
