/* server/domain/plan/plan_store.h: stores a plan: it is made outside a transaction and inserted inside one. */
#ifndef VIVACE_SERVER_RUN_PLAN_STORE_H
#define VIVACE_SERVER_RUN_PLAN_STORE_H

#include "base/strbuf.h"
#include "sampling/plan/plan.h"
#include "server/store/db/db.h"

struct plan_store {
    char id[UUID_TEXT]; /* "": no plan */
    struct plan plan;
    struct strbuf file; /* the canonical text */
};
#define PLAN_STORE_INIT                                                                                            \
    {                                                                                                              \
        .id = "", .file = STRBUF_INIT                                                                              \
    }
/* Writes the file of s->plan and gives it an id. */
int plan_store_prepare(struct plan_store *s, struct clock *clock, struct err *e) MUST_CHECK;
/* parent: id of the plan that this one extends, or NULL. */
int plan_store_put(const struct plan_store *s, struct db *db, const char *profile_id, const struct profile *profile,
                   const char *parent, wall_us now, struct err *e) MUST_CHECK;
void plan_store_release(struct plan_store *s);

#endif
