/* server/domain/share/share.h: what a share link shows: one run, plan, profile or comparison, and the objects
 * that belong to it. Nothing else of the team is visible.
 *
 *   run      the run, its jobs and events, its plan, and comparisons of its designs
 *   plan     the plan: samples, file, traces, commands
 *   profile  the profile: kernels, histogram, series, spreads, sweep
 *   compare  the answer to one question (question.h), nothing else of its runs
 *
 * A frozen link shows documents that were stored when it was created (share_freeze()), and nothing else. A link
 * with hidden names replaces each text that may be a name by a label, which is the same within the link. In
 * events, it replaces the parameters that are names (server/store/event/event.h). */
#ifndef VIVACE_SERVER_SHARE_H
#define VIVACE_SERVER_SHARE_H

#include <jansson.h>

#include "base/strbuf.h"
#include "server/store/db/db.h"
#include "server/store/repo/credential.h"

/* What a share link may read through a route (x-share in api/). */
enum share_reach {
    SHARE_NOTHING, /* refused: 403 */
    SHARE_HIDDEN,  /* belongs to an object that can be shared, but is not shown: 404 */
    SHARE_ALWAYS,
    SHARE_RUN, /* the shared run; the next values: a job, the plan, the profile, events of that run */
    SHARE_JOB,
    SHARE_PLAN,
    SHARE_PROFILE,
    SHARE_EVENTS,
    SHARE_COMPARE
};
/* The parts of a call that decide. Query parameters are NULL where the call has none. */
struct share_call {
    const char *id;                                 /* of the run, job, plan or profile */
    const char *topics;                             /* SHARE_EVENTS */
    const char *base, *with, *parameters, *resolve; /* SHARE_COMPARE */
};
/* Whether the credential's link shows the object: 1, 0, -1. db may be NULL for routes that need no database. */
int share_reaches(struct db *db, const struct credential *c, enum share_reach reach, const struct share_call *call,
                  struct err *e) MUST_CHECK;

/* Returns a document for a frozen link. The address is a path of the API with its query. */
struct share_source {
    int (*get)(void *ctx, struct db *db, const struct credential *who, const char *address, struct strbuf *out,
               struct err *e);
    void *ctx;
};
/* Stores the documents that a new frozen link will show. */
int share_freeze(const struct share_source *from, struct db *db, const struct credential *link,
                 struct err *e) MUST_CHECK;

/* The farm's secret key for labels. */
struct share_key {
    const unsigned char *bytes;
    size_t size;
};
/* Replaces names in the document by labels. Returns a new reference, often to `document`, which is changed in
 * place. */
json_t *share_hide(const struct share_key *key, int64_t share, json_t *document, struct err *e) MUST_CHECK;

#endif
